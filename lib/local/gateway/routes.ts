import { createHash } from 'node:crypto';
import type { ApiModel, MethodModel } from '../model.ts';

export type Resource = {
  readonly id: string;
  readonly path: string;
  readonly methods: ReadonlyMap<string, MethodModel>;
};

export type RouteMatch = {
  readonly resource: Resource;
  /** Still percent-encoded, as REST APIs hand them on; null where the resource has none. */
  readonly params: Record<string, string> | null;
};

type Node = {
  readonly literals: Map<string, Node>;
  param: { readonly name: string; readonly node: Node } | null;
  greedy: { readonly name: string; readonly resource: Resource } | null;
  resource: Resource | null;
};

const newNode = (): Node => ({ literals: new Map(), param: null, greedy: null, resource: null });

/**
 * The resource for a path: literals before `{param}` before `{proxy+}`, going back to a less specific one where the more
 * specific ends. A trailing slash routes as if it were not there.
 */
export function compileRoutes(api: ApiModel): (path: string) => RouteMatch | null {
  const root = newNode();
  const literal = new Map<string, RouteMatch>();
  for (const [path, methods] of Map.groupBy(api.methods, (method) => method.path)) {
    const id = createHash('sha1').update(`${api.id}${path}`).digest('hex').slice(0, 6);
    const resource = { id, path, methods: new Map(methods.map((method) => [method.httpMethod.toUpperCase(), method])) };
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
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, next);
      node = next;
    } else if (name.endsWith('+')) {
      node.greedy = { name: name.slice(0, -1), resource };
      return;
    } else {
      // A resource has one variable child at most; API Gateway refuses a sibling.
      node.param ??= { name, node: newNode() };
      node = node.param.node;
    }
  }
  node.resource = resource;
}

function find(node: Node, segments: readonly string[], index: number, params: readonly string[]): RouteMatch | null {
  const segment = segments[index];
  if (segment === undefined)
    return node.resource && { resource: node.resource, params: Object.fromEntries(pairs(params)) };
  const literal = node.literals.get(segment);
  const found = literal ? find(literal, segments, index + 1, params) : null;
  if (found) return found;
  if (node.param && segment !== '') {
    const under = find(node.param.node, segments, index + 1, [...params, node.param.name, segment]);
    if (under) return under;
  }
  const rest = node.greedy && segments.slice(index).join('/');
  if (!node.greedy || !rest) return null;
  return {
    resource: node.greedy.resource,
    params: Object.fromEntries(pairs([...params, node.greedy.name, rest])),
  };
}

function pairs(flat: readonly string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) result.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return result;
}
