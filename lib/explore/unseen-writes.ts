import { equal } from '../local/dynamodb/conditions.ts';
import type { Item, Json } from '../local/dynamodb/dynalite.ts';
import type { Rows, Written } from './rows.ts';

/**
 * Finds lost updates: a write under a condition on attributes that are no longer as its writer has seen them. This is what
 * optimistic locking promises of every row, whatever the row is for.
 */

/** The rows that one invocation has read or written, as they were then, by table and key. */
export type Seen = Map<string, Item | undefined>;

type Call = { readonly action: string; readonly input: Json; readonly output: unknown };
type Inner = {
  readonly TableName: string;
  readonly Key?: Json;
  readonly Item?: Json;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
};

/** @param asOf the earlier state that a stale read answers */
export function noteSeen(seen: Seen, rows: Rows, call: Call, { asOf }: { readonly asOf?: number }): void {
  for (const [table, keys] of shown(call)) {
    const found = rows.find(table, keys, asOf);
    if (found) seen.set(found.id, found.item);
  }
}

function shown({ action, input, output }: Call): [table: string, keys: Json][] {
  if (action === 'Query' || action === 'Scan')
    return ((output as { Items?: Json[] }).Items ?? []).map((item) => [String(input.TableName), item]);
  if (action === 'BatchGetItem')
    return Object.entries(input.RequestItems as Record<string, { Keys: Json[] }>).flatMap(([table, { Keys }]) =>
      Keys.map((key): [string, Json] => [table, key]),
    );
  return innersOf(action, input).map(({ TableName, Key, Item }) => [TableName, (Item ?? Key) as Json]);
}

function innersOf(action: string, input: Json): Inner[] {
  if (action.startsWith('Transact'))
    return (input.TransactItems as Record<string, Inner>[]).flatMap((each) => Object.values(each));
  return /^(Get|Put|Update|Delete)Item$/.test(action) ? [input as Inner] : [];
}

/** @param written the rows that the call has changed @returns each as `Sessions tokenHash`; a row that was never read as `Sessions` */
export function changedUnseen(
  seen: Seen,
  rows: Rows,
  action: string,
  input: Json,
  written: readonly Written[],
): string[] {
  return innersOf(action, input).flatMap((inner) => {
    const found = rows.find(inner.TableName, (inner.Item ?? inner.Key) as Json);
    if (inner.ConditionExpression === undefined || !found) return [];
    const { id } = found;
    const change = written.find(({ table, key }) => `${table} ${key}` === id);
    const before = change ? change.before : found.item;
    // Without a read an update decides by its condition alone; a put takes the row for new.
    if (!seen.has(id)) return inner.Item && before ? [inner.TableName] : [];
    const was = seen.get(id);
    const ours = computed(inner);
    const lost = namesIn(inner).filter((name) => !ours.has(name) && !isSame(was?.[name], before?.[name]));
    return lost.map((name) => `${inner.TableName} ${name}`);
  });
}

/** Attributes that the condition names. */
function namesIn({ ConditionExpression = '', ExpressionAttributeNames = {} }: Inner): string[] {
  return [...ConditionExpression.matchAll(/(?<![:\w.#])(#?\w+)(?!\w|\s*\()/g)]
    .map(([, name = '']) => ExpressionAttributeNames[name] ?? name)
    .filter((name) => !/^(AND|OR|NOT|IN|BETWEEN)$/.test(name));
}

/** What an update computes from what is there, so that nothing is lost. */
function computed({ UpdateExpression = '', ExpressionAttributeNames = {} }: Inner): Set<string> {
  const clauses = [...UpdateExpression.matchAll(/\b(?:ADD|DELETE)\b(.*?)(?=\b(?:SET|REMOVE|ADD|DELETE)\b|$)/gs)];
  const added = clauses.flatMap(([, clause = '']) => [...clause.matchAll(/(?<![:\w])(#?\w+)/g)]);
  return new Set(added.map(([, name = '']) => ExpressionAttributeNames[name] ?? name));
}

function isSame(one: Item[string] | undefined, other: Item[string] | undefined): boolean {
  return one === other || equal(one, other);
}
