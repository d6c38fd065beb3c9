import { type Checked, check, db, type Item, type Json } from './dynalite.ts';
import { failure, invalid, isFailure, type Reason, transactionCanceled } from './failures.ts';
import { checkWrite, evaluate, type Located, locate } from './items.ts';
import { type StoredTables, tableNamed, View, type Write } from './view.ts';

const WRITES = {
  ConditionCheck: 'ConditionCheckItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
} as const;
const MAX_BYTES = 4 * 1024 * 1024;
/** How long a ClientRequestToken is remembered. */
export const TOKEN_MS = 10 * 60 * 1000;

export type Transaction = {
  token: string | undefined;
  actions: Array<{ action: string; data: Checked; returnOld: boolean }>;
};

/** Checks the shape of a TransactWriteItems before any table is looked at. */
export function checkTransaction(input: Json): Transaction {
  const elements = elementsOf(input);
  const token = input.ClientRequestToken;
  if (token != null && (typeof token !== 'string' || token.length < 1 || token.length > 36)) {
    throw invalid(
      `1 validation error detected: Value '${token}' at 'clientRequestToken' failed to satisfy constraint: ` +
        (token === ''
          ? 'Member must have length greater than or equal to 1'
          : 'Member must have length less than or equal to 36'),
    );
  }
  const actions = elements.map((element, index) => {
    const named = Object.entries(WRITES).filter(([name]) => element[name] != null);
    const [first] = named;
    if (named.length > 1) throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    if (!first) throw invalid('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request');
    const [name, action] = first;
    const fields = element[name] as Json;
    if (name === 'ConditionCheck') mustHave(fields, 'ConditionExpression', `${index + 1}.member.conditionCheck`);
    if (name === 'Update') mustHave(fields, 'UpdateExpression', `${index + 1}.member.update`);
    return { action, ...checkWrite(action, fields) };
  });
  const size = actions.reduce((sum, { data }) => sum + db.itemSize(data.Item ?? data.Key ?? {}), 0);
  if (size > MAX_BYTES) throw invalid(`Transaction payload size cannot exceed 4MB. Payload Size: ${size}`);
  return { token: token ?? undefined, actions };
}

/** Evaluates every action against one state of the tables. Throws the cancellation, or returns all writes. */
export function evaluateTransaction(
  { actions }: Transaction,
  tables: StoredTables,
): { writes: Write[]; located: Located[] } {
  for (const { data } of actions) tableNamed(tables, data.TableName);
  const reasons: Reason[] = actions.map(() => ({ Code: 'None' }));
  const attempt = <T>(index: number, task: () => T): T | undefined => {
    try {
      return task();
    } catch (error) {
      reasons[index] = reasonOf(error);
      return undefined;
    }
  };
  const found = actions.map(({ action, data, returnOld }, i) =>
    attempt(i, () => locate(action, data, returnOld, tables)),
  );
  const located = found.filter((one) => one !== undefined);
  mustBeDistinct(located);
  const view = new View(tables);
  for (const [i, one] of found.entries()) if (one) attempt(i, () => evaluate(one, view));
  if (reasons.some((reason) => reason.Code !== 'None')) throw transactionCanceled(reasons);
  return { writes: view.writes, located };
}

export function transactGet(input: Json, tables: StoredTables): Json {
  const gets = elementsOf(input).map((element, index) => {
    mustHave(element, 'Get', `${index + 1}.member`);
    return check('GetItem', element.Get as Json);
  });
  for (const { TableName } of gets) tableNamed(tables, TableName);
  const reasons: Reason[] = gets.map(({ TableName, Key = {}, _projection }) => {
    const { description } = tableNamed(tables, TableName);
    const wrong = db.validateKey(Key, description) ?? db.validateKeyPaths(_projection?.nestedPaths, description);
    return wrong ? reasonOf(wrong) : { Code: 'None' };
  });
  if (reasons.some((reason) => reason.Code !== 'None')) throw transactionCanceled(reasons);
  const located = gets.map((data) => locate('GetItem', data, false, tables));
  mustBeDistinct(located);
  const items = located.map(({ table, key }) => table.items.get(key));
  const select = (item: Item, { _projection }: Checked) => (_projection ? db.mapPaths(_projection.paths, item) : item);
  return {
    Responses: items.map((item, i) => (item ? { Item: select(item, gets[i] as Checked) } : {})),
    ...consumed(input, located, 'ReadCapacityUnits', (_one, i) => 2 * db.capacityUnits(items[i], true, true)),
  };
}

/** ConsumedCapacity of a transaction, table by table: twice the units of the same calls one by one. */
export function consumed(
  input: Json,
  located: Located[],
  unit: string,
  unitsOf: (one: Located, index: number) => number,
): Json {
  const wanted = input.ReturnConsumedCapacity;
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {};
  const totals = new Map<string, number>();
  located.forEach((one, i) => {
    const { TableName } = one.data;
    totals.set(TableName, (totals.get(TableName) ?? 0) + unitsOf(one, i));
  });
  const ConsumedCapacity = [...totals].map(([TableName, units]) => {
    const both = { CapacityUnits: units, [unit]: units };
    return { TableName, ...both, ...(wanted === 'INDEXES' ? { Table: both } : {}) };
  });
  return { ConsumedCapacity };
}

function elementsOf({ TransactItems }: Json): Json[] {
  const refuse = (value: string, rule: string) =>
    invalid(`1 validation error detected: Value ${value} at 'transactItems' failed to satisfy constraint: ${rule}`);
  if (TransactItems == null) throw refuse('null', 'Member must not be null');
  if (!Array.isArray(TransactItems)) {
    throw failure('com.amazon.coral.service#SerializationException', 'Unexpected field type');
  }
  if (TransactItems.length < 1) throw refuse("'[]'", 'Member must have length greater than or equal to 1');
  if (TransactItems.length > 100) throw refuse(`'[…]'`, 'Member must have length less than or equal to 100');
  return TransactItems;
}

function mustHave(fields: Json, name: string, path: string): void {
  if (fields?.[name] != null) return;
  const at = `transactItems.${path}.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  throw invalid(
    `1 validation error detected: Value null at '${at}' failed to satisfy constraint: Member must not be null`,
  );
}

function mustBeDistinct(located: Located[]): void {
  const items = new Set(located.map(({ data, key }) => `${data.TableName}~${key}`));
  if (items.size < located.length) throw invalid('Transaction request cannot include multiple operations on one item');
}

function reasonOf(error: unknown): Reason {
  if (!isFailure(error)) throw error;
  const { __type, Item } = error.body;
  if (String(__type).endsWith('#ConditionalCheckFailedException')) {
    return { Code: 'ConditionalCheckFailed', ...(Item ? { Item: Item as Item } : {}), Message: error.message };
  }
  if (String(__type).endsWith('#ValidationException')) return { Code: 'ValidationError', Message: error.message };
  throw error;
}
