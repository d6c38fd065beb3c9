import { meets, wrongOperand } from './conditions.ts';
import { type Checked, check, db, type Item, type Json } from './dynalite.ts';
import { conditionFailed, invalid, isFailure } from './failures.ts';
import type { Table } from './table.ts';
import { run, runNow, type StoredTables, tableNamed, View, type Write } from './view.ts';

/** A checked write of one item. Its table and key are known; it is not evaluated yet. */
export type Located = { action: string; data: Checked; table: Table; key: string; returnOld: boolean };

/** Checks the shape of a write, as DynamoDB does before it looks at a table. */
export function checkWrite(action: string, input: Json): { data: Checked; returnOld: boolean } {
  const wanted = input.ReturnValuesOnConditionCheckFailure;
  if (wanted != null && wanted !== 'ALL_OLD' && wanted !== 'NONE') {
    throw invalid(
      `1 validation error detected: Value '${wanted}' at 'returnValuesOnConditionCheckFailure' failed to satisfy ` +
        'constraint: Member must satisfy enum value set: [ALL_OLD, NONE]',
    );
  }
  // A condition check has the fields of a delete.
  const data = check(action === 'ConditionCheckItem' ? 'DeleteItem' : action, input);
  const wrong = data._condition && wrongOperand(data._condition.expression);
  if (wrong) throw invalid(`Invalid ConditionExpression: ${wrong}`);
  return { data, returnOld: wanted === 'ALL_OLD' };
}

/** Checks the request against the table's schema and finds the item's key. */
export function locate(action: string, data: Checked, returnOld: boolean, tables: StoredTables): Located {
  const table = tableNamed(tables, data.TableName);
  const { description } = table;
  const keys = data.Item ?? data.Key ?? {};
  const wrong =
    (action === 'PutItem' ? db.validateItem(keys, description) : db.validateKey(keys, description)) ??
    (action === 'UpdateItem' ? db.validateUpdates(data.AttributeUpdates, data._updates, description) : undefined);
  if (wrong) throw wrong;
  return { action, data, table, key: db.createKey(keys, description), returnOld };
}

/** Tests the condition and computes the write; changes nothing. */
export function evaluate({ action, data, table, key, returnOld }: Located, view: View): Json {
  const current = table.items.get(key);
  const { _condition, ...rest } = data;
  if (_condition && !meets(current ?? {}, _condition.expression))
    throw conditionFailed(returnOld ? current : undefined);
  if (action === 'ConditionCheckItem') return {};
  try {
    return runNow(action, rest, view);
  } catch (error) {
    // The legacy `Expected` is evaluated by dynalite.
    const failedThere = isFailure(error) && String(error.body.__type).endsWith('#ConditionalCheckFailedException');
    throw failedThere ? conditionFailed(returnOld ? current : undefined) : error;
  }
}

export function writeOne(action: string, input: Json, tables: StoredTables): { output: Json; writes: Write[] } {
  const { data, returnOld } = checkWrite(action, input);
  const view = new View(tables);
  const output = evaluate(locate(action, data, returnOld, tables), view);
  return { output, writes: view.writes };
}

export async function read(action: string, input: Json, tables: StoredTables): Promise<Json> {
  const data = check(action, input);
  const wrong = data._filter && wrongOperand(data._filter.expression);
  if (wrong) throw invalid(`Invalid FilterExpression: ${wrong}`);
  const view = new View(tables, data.ExclusiveStartKey);
  return data._filter ? readFiltered(action, data, view) : run(action, data, view);
}

const ALWAYS = { type: 'function', name: 'attribute_not_exists', args: [['']] };

/** Lets dynalite page and count, and filters its results with our own conditions. */
async function readFiltered(action: string, data: Checked, view: View): Promise<Json> {
  const { _filter, _projection, Select, ...rest } = data;
  const onlyCount = Select === 'COUNT';
  const unfiltered = {
    ...rest,
    ...(onlyCount ? {} : { Select }),
    _filter: { ..._filter, expression: ALWAYS },
    // dynalite checks the paths of the projection against the keys; selecting comes after filtering.
    ...(_projection ? { _projection: { nestedPaths: _projection.nestedPaths } } : {}),
  };
  const output = await run(action, unfiltered, view);
  const items = (output.Items as Item[]).filter((item) => !_filter || meets(item, _filter.expression));
  const { Items: _all, ...page } = output;
  const selected = _projection ? items.map((item) => db.mapPaths(_projection.paths, item)) : items;
  return { ...page, Count: items.length, ...(onlyCount ? {} : { Items: selected }) };
}

/** The same for objects whose names are in another order. Unlike RFC 8785 it takes half a surrogate pair, as DynamoDB's clients do. */
export function orderedText(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (!part || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
