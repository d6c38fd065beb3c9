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
      const refersTo = (value: unknown) => nodes.get(target(value, part, roots) ?? '') ?? null;
      nodes.set(`${part.path}/${id}`, { path: `${part.path}/${id}`, type: Type, properties: Properties, refersTo });
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
  const found = new Set<string>([resource?.DependsOn ?? []].flat());
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'Ref') found.add(String(inner));
      else if (name === 'Fn::GetAtt') found.add(String([inner].flat()[0]).replace(/\..*/, ''));
      else if (name === 'Fn::Sub')
        for (const [, id = ''] of String([inner].flat()[0]).matchAll(/\$\{([^}.!]+)/g)) found.add(id);
      walk(inner);
    }
  };
  walk(resource?.Properties);
  return [...found].filter((id) => Object.hasOwn(Resources, id));
}

function target(value: unknown, part: Part, roots: ReadonlyMap<string, Part>): string | null {
  if (value === null || typeof value !== 'object') return null;
  const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
  if (more.length > 0) return null;
  if (name === 'Ref') {
    const id = String(argument);
    if (part.template.Resources?.[id]) return `${part.path}/${id}`;
    const given = part.parent?.part.template.Resources?.[part.parent.id]?.Properties?.Parameters;
    return part.parent ? target((given as Record<string, unknown> | undefined)?.[id], part.parent.part, roots) : null;
  }
  if (name === 'Fn::GetAtt') {
    const [id = '', attribute = ''] = argument as string[];
    const inner = part.nested.get(id);
    if (!inner) return `${part.path}/${id}`;
    return target(inner.template.Outputs?.[attribute.replace('Outputs.', '')]?.Value, inner, roots);
  }
  if (name === 'Fn::GetStackOutput') {
    const { StackName, OutputName } = argument as Record<string, string>;
    const other = roots.get(StackName ?? '') ?? missing(StackName);
    return target(other.template.Outputs?.[OutputName ?? '']?.Value, other, roots);
  }
  return null;
}

function missing(what: unknown): never {
  throw new Error(`there is no ${what} in the assembly`);
}
