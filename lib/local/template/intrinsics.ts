/** CloudFormation's intrinsic functions, resolved to plain values. */

/** Looks up names. Every function throws an Error that names what is unknown. */
export type Scope = {
  /** A parameter, a pseudo parameter or a resource's `Ref`. */
  readonly ref: (name: string) => unknown;
  readonly attribute: (logicalId: string, attribute: string) => unknown;
  readonly condition: (name: string) => boolean;
  readonly mapping: (map: string, first: string, second: string) => unknown;
  readonly exported: (name: string) => unknown;
  readonly stackOutput: (stackName: string, outputName: string) => unknown;
  /** `secretsmanager:<arn>:SecretString:…`, `ssm:<name>`: the text between `{{resolve:` and `}}`. */
  readonly dynamicReference: (reference: string) => string;
};

/** Names the template and the place that could not be resolved. Thrown once, at the innermost place. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

type Intrinsic = (argument: unknown, scope: Scope, path: string) => unknown;

/**
 * @param path Names the value in errors: `dev-sleepcare/ListAgreements.Environment.Variables`.
 * @returns plain JSON; `AWS::NoValue` is undefined and missing in its object or list.
 */
export function resolve(value: unknown, scope: Scope, path: string): unknown {
  if (typeof value === 'string') return withDynamicReferences(value, scope, path);
  if (Array.isArray(value)) {
    return value.map((item, index) => resolve(item, scope, `${path}[${index}]`)).filter((item) => item !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1) {
    const [name, argument] = only;
    const intrinsic = functions[name];
    if (intrinsic) {
      const resolved = at(`${path}.${name}`, () => intrinsic(argument, scope, `${path}.${name}`));
      return typeof resolved === 'string' ? withDynamicReferences(resolved, scope, path) : resolved;
    }
    if (name.startsWith('Fn::')) throw new TemplateError(`${path}: ${name} is not supported on this machine`);
  }
  return Object.fromEntries(
    entries
      .map(([key, item]) => [key, resolve(item, scope, `${path}.${key}`)] as const)
      .filter(([, item]) => item !== undefined),
  );
}

const functions: Record<string, Intrinsic> = {
  Ref: (name, scope, path) => scope.ref(text(name, path)),
  'Fn::GetAtt': (argument, scope, path) => {
    // JSON has a pair. YAML's short form has one string, whose attribute may contain more dots.
    const [logicalId, ...attribute] = typeof argument === 'string' ? argument.split('.') : list(argument, path);
    return scope.attribute(text(logicalId, path), attribute.map((part) => text(part, path)).join('.'));
  },
  'Fn::Join': (argument, scope, path) => {
    const [delimiter, parts] = list(argument, path);
    return texts(resolve(parts, scope, path), path).join(text(delimiter, path));
  },
  'Fn::Sub': (argument, scope, path) => {
    const [template, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, path);
    const own = (variables ?? {}) as Record<string, unknown>;
    return text(template, path).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (Object.hasOwn(own, name)) return text(resolve(own[name], scope, path), path);
      const dot = name.indexOf('.');
      return text(dot < 0 ? scope.ref(name) : scope.attribute(name.slice(0, dot), name.slice(dot + 1)), path);
    });
  },
  'Fn::Select': (argument, scope, path) => {
    const [index, from] = list(argument, path);
    const items = list(resolve(from, scope, path), path);
    const item = items[Number(resolve(index, scope, path))];
    if (item === undefined) throw new Error(`there is no item ${JSON.stringify(index)} among ${items.length}`);
    return item;
  },
  'Fn::Split': (argument, scope, path) => {
    const [delimiter, from] = list(argument, path);
    return text(resolve(from, scope, path), path).split(text(delimiter, path));
  },
  'Fn::If': (argument, scope, path) => {
    const [condition, yes, no] = list(argument, path);
    return resolve(scope.condition(text(condition, path)) ? yes : no, scope, path);
  },
  'Fn::FindInMap': (argument, scope, path) => {
    const [map, first, second] = texts(resolve(list(argument, path).slice(0, 3), scope, path), path);
    return scope.mapping(map ?? '', first ?? '', second ?? '');
  },
  'Fn::ImportValue': (argument, scope, path) => scope.exported(text(resolve(argument, scope, path), path)),
  'Fn::GetStackOutput': (argument, scope, path) => {
    const { StackName, OutputName } = resolve(argument, scope, path) as Record<string, unknown>;
    return scope.stackOutput(text(StackName, path), text(OutputName, path));
  },
  'Fn::Base64': (argument, scope, path) => Buffer.from(text(resolve(argument, scope, path), path)).toString('base64'),
  'Fn::Equals': (argument, scope, path) => {
    const [left, right] = list(resolve(argument, scope, path), path);
    return String(left) === String(right);
  },
  'Fn::Not': (argument, scope, path) => !holds(list(argument, path)[0], scope, path),
  'Fn::And': (argument, scope, path) => list(argument, path).every((each) => holds(each, scope, path)),
  'Fn::Or': (argument, scope, path) => list(argument, path).some((each) => holds(each, scope, path)),
};

/** The value of a condition: a logical function, or `{ Condition: name }`, which is a reference only here. */
export function holds(value: unknown, scope: Scope, path: string): boolean {
  if (typeof value === 'object' && value !== null && 'Condition' in value) {
    return scope.condition(text(value.Condition, path));
  }
  return resolve(value, scope, path) === true;
}

function withDynamicReferences(value: string, scope: Scope, path: string): string {
  if (!value.includes('{{resolve:')) return value;
  return at(path, () => value.replace(/\{\{resolve:([^}]+)\}\}/g, (_, reference) => scope.dynamicReference(reference)));
}

function at<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateError(`${path}: a string is needed, not ${JSON.stringify(value)}`);
}

function list(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new TemplateError(`${path}: a list is needed, not ${JSON.stringify(value)}`);
}

function texts(value: unknown, path: string): string[] {
  return list(value, path).map((item) => text(item, path));
}
