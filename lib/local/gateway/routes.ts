import { createHash } from 'node:crypto';
import type { ApiModel, MethodModel } from '../model.ts';

type Resource = {
  readonly id: string;
  readonly path: string;
  readonly methods: ReadonlyMap<string, MethodModel>;
  /** The path's variables, in their order. */
  readonly variables: readonly string[];
};

export type RouteMatch = {
  readonly resource: Resource;
  /** Still percent-encoded, as REST APIs pass them on; null if the resource has none. */
  readonly params: Record<string, string> | null;
};

type Node = {
  readonly literals: Map<string, Node>;
  param: Node | null;
  greedy: Resource | null;
  resource: Resource | null;
};

const newNode = (): Node => ({ literals: new Map(), param: null, greedy: null, resource: null });

/**
 * The resource for a path: literals before `{param}` before `{proxy+}`, with a return to a less specific branch if the
 * more specific one does not match. A trailing slash routes as if it were not there.
 */
export function compileRoutes(api: ApiModel): (path: string) => RouteMatch | null {
  const root = newNode();
  const literal = new Map<string, RouteMatch>();
  for (const [path, methods] of Map.groupBy(api.methods, (method) => method.path)) {
    const id = createHash('sha1').update(`${api.id}${path}`).digest('hex').slice(0, 6);
    const variables = [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => name ?? '');
    const byName = new Map(methods.map((method) => [method.httpMethod.toUpperCase(), method]));
    const resource = { id, path, methods: byName, variables };
    if (!path.includes('{')) literal.set(path, { resource, params: null });
    else insert(root, path.split('/').slice(1), resource);
  }
  return (path) => {
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    return literal.get(trimmed) ?? (trimmed === '/' ? null : find(root, trimmed.split('/'), 1, []));
  };
}

function insert(root: Node, segments: readonly string[], resource: Resource): void {
  let node = root;
  for (const segment of segments) {
    if (!segment.startsWith('{')) {
      const next = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, next);
      node = next;
    } else if (segment.endsWith('+}')) {
      node.greedy = resource;
      return;
    } else {
      // A resource has one variable child at most; API Gateway refuses a sibling.
      node.param ??= newNode();
      node = node.param;
    }
  }
  node.resource = resource;
}

/**
 * `values` holds the variables' values of the branch so far. Values of a branch that does not match are removed again.
 */
function find(node: Node, segments: readonly string[], index: number, values: string[]): RouteMatch | null {
  const segment = segments[index];
  if (segment === undefined) return node.resource && matched(node.resource, values);
  const literal = node.literals.get(segment);
  const found = literal ? find(literal, segments, index + 1, values) : null;
  if (found) return found;
  if (node.param && segment !== '') {
    values.push(segment);
    const under = find(node.param, segments, index + 1, values);
    if (under) return under;
    values.pop();
  }
  if (!node.greedy) return null;
  const rest = segments.slice(index).join('/');
  return rest === '' ? null : matched(node.greedy, [...values, rest]);
}

function matched(resource: Resource, values: readonly string[]): RouteMatch {
  const params: Record<string, string> = {};
  resource.variables.forEach((name, index) => {
    params[name] = values[index] ?? '';
  });
  return { resource, params };
}
