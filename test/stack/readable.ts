/**
 * CloudFormation's functions as the text that they come to: `{ "Ref": "Api" }` is `<Api>`, a join is one string, another
 * stack's output `<State:Key.Arn>`. What follows from the functions' code (the assets' hashes) and from
 * CDK's naming of references is left out, so that a comparison is about what we declare.
 */
export function readable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\b[0-9a-f]{64}\b/g, '<hash>');
  if (Array.isArray(value)) return value.map(readable);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const [[name, argument] = ['', undefined]] = entries;
  if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) return text(name, argument);
  // A set, which CDK writes in an order that one machine once wrote otherwise.
  const ordered = (key: string, inner: unknown) =>
    key === 'DependsOn' && Array.isArray(inner) ? inner.toSorted() : inner;
  return Object.fromEntries(entries.map(([key, inner]) => [short(key), readable(ordered(key, inner))]));
}

function text(name: string, argument: unknown): unknown {
  if (name === 'Ref') return `<${short(String(argument))}>`;
  if (name === 'Fn::GetAtt') return `<${(argument as string[]).map(short).join('.')}>`;
  if (name === 'Fn::Sub') return String(argument).replace(/\$\{([^}]+)\}/g, '<$1>');
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[] | { 'Fn::Split': [string, unknown] }];
    // `~(<Things>)`: the name with `~` for a part of it.
    if (!Array.isArray(parts)) return `${separator}(${readable(parts['Fn::Split'][1])})`;
    const texts = parts.map(readable).map((part) => (typeof part === 'string' ? part : JSON.stringify(part)));
    return texts.join(separator).replace(composedTable, '<$1Table.Arn>');
  }
  // Without the index, which of many follows from those before it: test/stack/dashboard.test.ts says that it is the right one.
  if (name === 'Fn::Select') return `<${(argument as [number, { Ref: string }])[1].Ref}[]>`;
  return { [name]: readable(argument) };
}

/** A table's ARN in another stack, made of its name (lib/stack/tables.ts). */
const composedTable = /arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table\/<([\w-]+:\w+)Table>/g;

/** `referencetoSleepcareStateKeyArn12413C16Ref` → `State:Key.Arn`, `referencetoSleepcareApiA880AD4FRef` → `SleepcareApi`. */
function short(name: string): string {
  const known = shortened.get(name);
  if (known !== undefined) return known;
  const found = shorten(name);
  shortened.set(name, found);
  return found;
}

/** The same few names stand in a template thousands of times. */
const shortened = new Map<string, string>();

function shorten(name: string): string {
  return name
    .replace(/^referenceto(.*)[0-9A-F]{8}Ref$/, '$1')
    .replace(
      /^(?:Sleepcare|Medinfo|Dashboard)?State([A-Z]\w*?)(Arn)?$/,
      (_, id, arn) => `State:${id}${arn ? '.Arn' : ''}`,
    )
    .replace(/^((?:Outputs\.)?\w*Function)[0-9A-F]{8}Arn$/, '$1.Arn');
}
