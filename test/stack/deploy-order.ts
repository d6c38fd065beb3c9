import { type AssemblyStack, readTemplate, type Template } from '../../lib/local/template/assembly.ts';

/** In which order CloudFormation makes an environment's resources for the first time, nested stacks included. */

export type Stacks = readonly Pick<AssemblyStack, 'name' | 'template' | 'assets'>[];

type Resource = NonNullable<Template['Resources']>[string] & { readonly DependsOn?: string | readonly string[] };

export type Node = {
  /** `<stack>/<nested stack>/<logical id>` */
  readonly path: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The node that a reference or an ARN leads to, through parameters and outputs; null: a literal, or several in one. */
  readonly refersTo: (value: unknown) => Node | null;
  /** All nodes that something in the value leads to, in texts and lists, too. */
  readonly mentions: (value: unknown) => Node[];
};

export type DeployOrder = {
  readonly nodes: readonly Node[];
  /** Whether one is complete before the other is begun. */
  readonly isBefore: (one: Node, other: Node) => boolean;
};

type Part = {
  readonly path: string;
  readonly template: Template;
  /** The nested stack's resource in its parent; null of a stack of its own. */
  readonly parent: { readonly part: Part; readonly id: string } | null;
  readonly nested: ReadonlyMap<string, Part>;
};

const nestedType = 'AWS::CloudFormation::Stack';

/** @param waitsFor by stack: the stacks that are deployed before it */
export function deployOrder(stacks: Stacks, waitsFor: (stack: string) => readonly string[]): DeployOrder {
  const roots = new Map(stacks.map(({ name, template, assets }) => [name, partOf(name, template, assets, null)]));
  const nodes = new Map<string, Node>();
  const add = (part: Part): void => {
    for (const [id, { Type, Properties = {} }] of Object.entries(part.template.Resources ?? {})) {
      const path = `${part.path}/${id}`;
      const refersTo = (value: unknown) => nodes.get(target(value, part, roots) ?? '') ?? null;
      const mentions = (value: unknown) => targetsIn(value, part, roots).flatMap((found) => nodes.get(found) ?? []);
      nodes.set(path, { path, type: Type, properties: Properties, refersTo, mentions });
    }
    for (const inner of part.nested.values()) add(inner);
  };
  for (const root of roots.values()) add(root);

  const known = new Map<string, ReadonlySet<string>>();
  const remembered = (key: string, find: () => Iterable<string>): ReadonlySet<string> => {
    const found = known.get(key) ?? new Set(find());
    known.set(key, found);
    return found;
  };
  /** All of a stack, once it is complete. */
  const all = (part: Part): ReadonlySet<string> =>
    remembered(`all ${part.path}`, () =>
      Object.keys(part.template.Resources ?? {}).flatMap((id) => [...done(part, id)]),
    );
  const done = (part: Part, id: string): string[] => {
    const inner = part.nested.get(id);
    return [`${part.path}/${id}`, ...before(part, id), ...(inner ? all(inner) : [])];
  };
  const before = (part: Part, id: string): ReadonlySet<string> =>
    remembered(`before ${part.path}/${id}`, () => [
      ...mentioned(part.template.Resources?.[id], part.template).flatMap((other) => done(part, other)),
      ...beforeStack(part),
    ]);
  const beforeStack = ({ path, parent }: Part): Iterable<string> =>
    parent
      ? before(parent.part, parent.id)
      : waitsFor(path).flatMap((name) => [...all(roots.get(name) ?? missing(name))]);

  const partAt = new Map<string, [Part, string]>();
  const index = (part: Part): void => {
    for (const id of Object.keys(part.template.Resources ?? {})) partAt.set(`${part.path}/${id}`, [part, id]);
    for (const inner of part.nested.values()) index(inner);
  };
  for (const root of roots.values()) index(root);
  return {
    nodes: [...nodes.values()],
    isBefore: (one, other) => before(...(partAt.get(other.path) ?? missing(other.path))).has(one.path),
  };
}

function partOf(path: string, template: Template, assets: AssemblyStack['assets'], parent: Part['parent']): Part {
  const nested = new Map<string, Part>();
  const part = { path, template, parent, nested };
  for (const [id, { Type, Properties }] of Object.entries(template.Resources ?? {})) {
    if (Type !== nestedType) continue;
    const url = JSON.stringify(Properties?.TemplateURL);
    const file = [...assets].find(([key]) => url.includes(key))?.[1] ?? missing(url);
    nested.set(id, partOf(`${path}/${id}`, readTemplate(file), assets, { part, id }));
  }
  return part;
}

/** The logical ids that a resource waits for within its template: what it names, and its DependsOn. */
function mentioned(resource: Resource | undefined, { Resources = {} }: Template): string[] {
  const named = referencesIn(resource?.Properties).map(({ id }) => id);
  const found = new Set<string>([...[resource?.DependsOn ?? []].flat(), ...named]);
  return [...found].filter((id) => Object.hasOwn(Resources, id));
}

type Reference = { readonly id: string; readonly attribute: string | null };

/** What an intrinsic function names; none where it is another one. */
function referencesOf(name: string, argument: unknown): Reference[] {
  if (name === 'Ref') return [{ id: String(argument), attribute: null }];
  if (name === 'Fn::GetAtt') {
    const [id = '', ...attribute] = typeof argument === 'string' ? argument.split('.') : (argument as string[]);
    return [{ id, attribute: attribute.join('.') }];
  }
  if (name !== 'Fn::Sub') return [];
  const [text, variables = {}] = [argument].flat() as [string, object?];
  return [...text.matchAll(/\$\{([^}.!]+)(?:\.([^}]+))?\}/g)]
    .filter(([, id = '']) => !Object.hasOwn(variables, id))
    .map(([, id = '', attribute = null]) => ({ id, attribute }));
}

/** Of all intrinsic functions in a value. */
function referencesIn(value: unknown): Reference[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [...referencesOf(name, inner), ...referencesIn(inner)]);
}

/** A node's path, or the value that a parameter or an output hands on. */
type Step = { readonly node: string } | { readonly value: unknown; readonly of: Part };

function follow(reference: Reference, part: Part, roots: ReadonlyMap<string, Part>): Step | null {
  const { id, attribute } = reference;
  const inner = attribute === null ? undefined : part.nested.get(id);
  if (inner) return { value: inner.template.Outputs?.[attribute?.replace('Outputs.', '') ?? '']?.Value, of: inner };
  if (part.template.Resources?.[id]) return { node: `${part.path}/${id}` };
  const given = part.parent?.part.template.Resources?.[part.parent.id]?.Properties?.Parameters;
  if (part.parent) return { value: (given as Record<string, unknown> | undefined)?.[id], of: part.parent.part };
  return stored(part.template.Parameters?.[id]?.Default, roots);
}

/** What a stack has written to Parameter Store under a name. */
function stored(name: unknown, roots: ReadonlyMap<string, Part>): Step | null {
  for (const of of roots.values()) {
    for (const { Type, Properties } of Object.values(of.template.Resources ?? {})) {
      if (Type === 'AWS::SSM::Parameter' && Properties?.Name === name) return { value: Properties?.Value, of };
    }
  }
  return null;
}

function target(value: unknown, part: Part, roots: ReadonlyMap<string, Part>): string | null {
  if (value === null || typeof value !== 'object') return null;
  const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
  const [reference] = name === 'Fn::Sub' ? [] : referencesOf(name, argument);
  if (more.length > 0 || !reference) return null;
  const step = follow(reference, part, roots);
  if (!step || 'node' in step) return step?.node ?? null;
  return target(step.value, step.of, roots);
}

function targetsIn(value: unknown, part: Part, roots: ReadonlyMap<string, Part>): string[] {
  return referencesIn(value).flatMap((reference) => {
    const step = follow(reference, part, roots);
    if (!step) return [];
    return 'node' in step ? [step.node] : targetsIn(step.value, step.of, roots);
  });
}

function missing(what: unknown): never {
  throw new Error(`there is no ${what} in the assembly`);
}
