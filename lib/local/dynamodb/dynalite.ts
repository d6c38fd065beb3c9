import { createRequire } from 'node:module';

/**
 * The only access to dynalite's CommonJS internals: its validation, its expression parsers, its key encoding and its
 * single-item actions. Its own HTTP server and LevelDB layer stay unused: they write an item and its index entries one
 * after the other, and scan a table's keys through one stream each.
 */
const require = createRequire(import.meta.url);

export type AttributeValue = Record<string, unknown>;
export type Item = Record<string, AttributeValue>;
export type Json = Record<string, unknown>;
export type Operand = Array<string | number> | Expression | AttributeValue;
export type Expression = { type: string; name?: string; args: Operand[] };
type Parsed = { expression: Expression; nestedPaths?: Record<string, boolean>; pathHeads?: Record<string, boolean> };
type Projection = { paths: unknown[]; nestedPaths?: Record<string, boolean> };

/** A request that dynalite has checked; the underscored fields are its parsed expressions. */
export type Checked = Json & {
  TableName: string;
  Item?: Item;
  Key?: Item;
  ExclusiveStartKey?: Item;
  AttributeUpdates?: Json;
  _condition?: Parsed;
  _filter?: Parsed;
  _projection?: Projection;
  _updates?: { nestedPaths?: Record<string, boolean> };
};

export type KeySchema = Array<{ AttributeName: string; KeyType: string }>;
export type IndexDescription = Json & {
  IndexName: string;
  KeySchema: KeySchema;
  Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
};
export type TableDescription = Json & {
  TableName: string;
  TableArn: string;
  KeySchema: KeySchema;
  AttributeDefinitions: Array<{ AttributeName: string; AttributeType: string }>;
  LocalSecondaryIndexes?: IndexDescription[];
  GlobalSecondaryIndexes?: IndexDescription[];
};

/** dynalite's error shape, and ours: what goes on the wire. */
export type Failure = Error & { statusCode: number; body: Json };
export type Callback<T> = (error: Failure | null, value?: T) => void;
export type Action = (store: unknown, data: Json, done: Callback<Json>) => void;

export const db: {
  validateKey(key: Item, table: TableDescription): Failure | undefined;
  validateItem(item: Item, table: TableDescription): Failure | undefined;
  validateUpdates(legacy: unknown, updates: unknown, table: TableDescription): Failure | undefined;
  validateKeyPaths(nested: unknown, table: TableDescription): Failure | undefined;
  validationError(message: string): Failure;
  createKey(item: Item, table: TableDescription, schema?: KeySchema): string;
  createIndexKey(item: Item, table: TableDescription, schema: KeySchema): string;
  toLexiStr(value: string, type: string): string;
  mapPath(path: unknown, item: Item): AttributeValue | undefined;
  mapPaths(paths: unknown[], item: Item): Item;
  itemSize(item: Item): number;
  capacityUnits(item: Item | undefined, isRead: boolean, isConsistent: boolean): number;
} = require('dynalite/db');

const validations: {
  checkTypes(data: Json, types: Json): Checked;
  checkValidations(data: Checked, types: Json, custom: unknown, store: unknown): void;
} = require('dynalite/validations');

const fileOf = (action: string) => action.charAt(0).toLowerCase() + action.slice(1);
const rules = new Map<string, { types: Json; custom?: unknown }>();
const actions = new Map<string, Action>();

/** DynamoDB's limit of an item, in bytes. */
export const options = { maxItemSize: 400 * 1024 };

/** Checked requests, by their text; absent unless `keepChecks` was called. */
let kept: Map<string, Checked> | undefined;
const mostKept = 50_000;

/** For a process that makes the same requests thousands of times (lib/explore): parsing costs more than all else. */
export function keepChecks(): void {
  if (kept) return;
  kept = new Map();
  const create = db.createKey;
  const keys = new Map<string, string>();
  // Half of a key is an MD5 of it.
  db.createKey = (item, table, schema = table.KeySchema) => {
    let text = '';
    for (const { AttributeName } of schema) text += `${AttributeName} ${JSON.stringify(item[AttributeName])} `;
    const known = keys.get(text);
    if (known !== undefined) return known;
    const made = create(item, table, schema);
    if (keys.size >= mostKept) keys.clear();
    keys.set(text, made);
    return made;
  };
}

/** Checks a request as DynamoDB does before it looks at any table, and parses its expressions. Throws a Failure. */
export function check(action: string, input: Json): Checked {
  if (!kept) return checked(action, input);
  const text = `${action} ${JSON.stringify(input)}`;
  const known = kept.get(text);
  if (known) return ownOf(action, known);
  const data = checked(action, input);
  if (kept.size >= mostKept) kept.clear();
  kept.set(text, ownOf(action, data));
  return data;
}

/** A copy that an action may change: an update writes its values into the parsed expression, and a new item into the key. */
function ownOf(action: string, data: Checked): Checked {
  if (action !== 'UpdateItem') return { ...data };
  const copy = { ...data };
  if (data.Key) copy.Key = structuredClone(data.Key);
  if (data._updates) copy._updates = structuredClone(data._updates);
  return copy;
}

function checked(action: string, input: Json): Checked {
  let rule = rules.get(action);
  if (!rule) {
    const loaded: { types: Json; custom?: unknown } = require(`dynalite/validations/${fileOf(action)}`);
    rules.set(action, loaded);
    rule = loaded;
  }
  // checkTypes deletes unknown fields of its argument, so it gets a copy.
  const data = validations.checkTypes({ ...input }, rule.types);
  validations.checkValidations(data, rule.types, rule.custom, { options });
  return data;
}

export function actionOf(name: string): Action {
  let action = actions.get(name);
  if (!action) {
    const loaded: Action = require(`dynalite/actions/${fileOf(name)}`);
    actions.set(name, loaded);
    action = loaded;
  }
  return action;
}

export type LevelOperation = { type: 'put'; key: string; value: unknown } | { type: 'del'; key: string };
export type Level = {
  open(): Promise<void>;
  close(): Promise<void>;
  batch(operations: LevelOperation[]): Promise<void>;
  iterator(): AsyncIterable<[string, unknown]>;
};

/** LevelDB comes with dynalite; loaded only when a folder is asked for, since it is native code. */
export function newLevel(folder: string): Level {
  const { Level }: { Level: new (folder: string, options: object) => Level } = createRequire(
    require.resolve('dynalite'),
  )('level');
  return new Level(folder, { valueEncoding: 'json' });
}
