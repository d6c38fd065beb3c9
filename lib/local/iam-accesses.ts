import { isJsonObject } from './json.ts';

/** What IAM checks for one DynamoDB call: the call may need several actions on several tables or indexes. */
export type AuthorizationRequest = {
  /** `dynamodb:PutItem` */
  action: string;
  /** ARN of the table, index or stream, or `*` for a call about none. */
  resource: string;
  /** Condition keys in lower case; a key that is absent here is not in the request's context. */
  context: Record<string, string[]>;
  /** Condition keys whose values AWS knows but this emulator does not. */
  unknown: string[];
};

type Keys = { partition: string; sort?: string };
export type KnownTable = { name: string; arn: string; keys?: Keys; indexes?: Record<string, Keys> };
type Input = Record<string, unknown>;
type Values = Record<string, Record<string, unknown>>;

const IN_TRANSACTION: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};
const READS = ['GetItem', 'BatchGetItem', 'Query', 'Scan'];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];
const OF_STREAMS = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'];

export function accessesOf(action: string, input: Input, tables: KnownTable[]): AuthorizationRequest[] {
  if (action === 'TransactWriteItems' || action === 'TransactGetItems') {
    return listOf(input.TransactItems).flatMap((element) =>
      Object.entries(element).flatMap(([name, fields]) => {
        const access = accessOf(IN_TRANSACTION[name] ?? name, objectOf(fields), tables);
        access.context['dynamodb:enclosingoperation'] = [action];
        return [access];
      }),
    );
  }
  if (action === 'BatchGetItem' || action === 'BatchWriteItem') {
    return Object.entries(objectOf(input.RequestItems)).map(([TableName, request]) =>
      accessOf(
        action,
        Array.isArray(request) ? { TableName, Requests: request } : { ...objectOf(request), TableName },
        tables,
      ),
    );
  }
  if (action === 'ExecuteStatement') return [partiql(input, tables)];
  if (action === 'BatchExecuteStatement') return listOf(input.Statements).map((one) => partiql(one, tables));
  if (action === 'ExecuteTransaction') {
    return listOf(input.TransactStatements).map((one) => {
      const access = partiql(one, tables);
      access.context['dynamodb:enclosingoperation'] = [action];
      return access;
    });
  }
  if (OF_STREAMS.includes(action)) return [streamAccess(action, input, tables)];
  return [accessOf(action, input, tables)];
}

/** ListStreams is about all streams of its table; a shard iterator begins with the ARN of its stream. */
function streamAccess(
  action: string,
  { StreamArn, ShardIterator, TableName }: Input,
  tables: KnownTable[],
): AuthorizationRequest {
  const access: AuthorizationRequest = { action: `dynamodb:${action}`, resource: '*', context: {}, unknown: [] };
  const named = action === 'GetRecords' ? String(ShardIterator).split('|')[0] : StreamArn;
  if (action === 'ListStreams' && typeof TableName === 'string') {
    access.resource = `${tableOf(TableName, tables).arn}/stream/*`;
  } else if (typeof named === 'string' && named.startsWith('arn:')) {
    // DynamoDB Local has a region and an account of its own in its ARNs; the policies have the table's.
    const [, label = '*'] = named.split('/stream/');
    access.resource = `${tableOf(named, tables).arn}/stream/${label}`;
  }
  return access;
}

function accessOf(action: string, input: Input, tables: KnownTable[]): AuthorizationRequest {
  const named = input.TableName ?? input.ResourceArn;
  const isData =
    READS.includes(action) || WRITES.includes(action) || /^(BatchWriteItem|ConditionCheckItem)$/.test(action);
  const access: AuthorizationRequest = { action: `dynamodb:${action}`, resource: '*', context: {}, unknown: [] };
  if (typeof named !== 'string') return access;
  const table = tableOf(named, tables);
  const indexName = typeof input.IndexName === 'string' ? input.IndexName : undefined;
  access.resource = indexName ? `${table.arn}/index/${indexName}` : table.arn;
  if (!isData) return access;

  const { context } = access;
  const touched = attributesOf(input);
  if (touched.length > 0) context['dynamodb:attributes'] = touched;
  const keys = indexName ? table.indexes?.[indexName] : table.keys;
  const leading = keys && leadingKeys(input, keys.partition);
  if (leading?.length) context['dynamodb:leadingkeys'] = leading;
  else if (!keys && action !== 'Scan') access.unknown.push('dynamodb:leadingkeys');
  if (WRITES.includes(action)) context['dynamodb:returnvalues'] = [String(input.ReturnValues ?? 'NONE')];
  if (READS.includes(action)) {
    const everything = indexName ? 'ALL_PROJECTED_ATTRIBUTES' : 'ALL_ATTRIBUTES';
    const select = input.ProjectionExpression || input.AttributesToGet ? 'SPECIFIC_ATTRIBUTES' : everything;
    context['dynamodb:select'] = [String(input.Select ?? select)];
  }
  return access;
}

/** A statement is checked by its verb and its table, not by the attributes that it uses. */
function partiql(input: Input, tables: KnownTable[]): AuthorizationRequest {
  const statement = String(input.Statement ?? '').trim();
  const verb = /^(select|insert|update|delete)/i.exec(statement)?.[1]?.toLowerCase() ?? 'select';
  const target = verb === 'update' ? statement : /\b(?:from|into)\b(.*)/is.exec(statement)?.[1];
  const names = /^(?:update)?\s*"?([\w.-]+?)"?(?:\."?([\w.-]+)"?)?(?:\s|$|\[)/i.exec(target?.trim() ?? '');
  const { arn } = tableOf(names?.[1] ?? '', tables);
  return {
    action: `dynamodb:PartiQL${verb.charAt(0).toUpperCase()}${verb.slice(1)}`,
    resource: names?.[2] ? `${arn}/index/${names[2]}` : arn,
    context: {},
    unknown: ['dynamodb:attributes', 'dynamodb:leadingkeys', 'dynamodb:fulltablescan', 'dynamodb:select'],
  };
}

/** Finds a table by its name or ARN. An unknown table gets the ARN that it would have. */
function tableOf(named: string, tables: KnownTable[]): KnownTable {
  const name = named.startsWith('arn:') ? (named.split(':table/')[1]?.split('/')[0] ?? '') : named;
  const found = tables.find((table) => table.name === name);
  if (found) return found;
  const prefix = tables[0]?.arn.split(':table/')[0] ?? 'arn:aws:dynamodb:us-east-1:000000000000';
  return { name, arn: named.startsWith('arn:') ? named : `${prefix}:table/${name}` };
}

/** The top-level attributes that a call names, in its item, its keys and its expressions. */
function attributesOf(input: Input): string[] {
  const names = objectOf(input.ExpressionAttributeNames);
  const found = new Set<string>();
  const maps = ['Item', 'Key', 'AttributeUpdates', 'Expected', 'KeyConditions', 'QueryFilter', 'ScanFilter'];
  for (const field of maps) for (const name of Object.keys(objectOf(input[field]))) found.add(name);
  for (const { key, item } of batched(input)) for (const name of Object.keys(key ?? item ?? {})) found.add(name);
  if (Array.isArray(input.AttributesToGet)) for (const name of input.AttributesToGet) found.add(String(name));
  for (const [field, expression] of Object.entries(input)) {
    if (!field.endsWith('Expression') || typeof expression !== 'string') continue;
    for (const name of namesIn(expression)) found.add(String(names[name] ?? name));
  }
  return [...found];
}

const KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** The first segment of each path: not what follows a dot or a colon, not a function, not a keyword. */
function namesIn(expression: string): string[] {
  return [...expression.matchAll(/([.:]?)\s*(#?[A-Za-z_]\w*)(\s*\()?/g)]
    .filter(([, before, name, call]) => !before && !(KEYWORDS.has(String(name).toUpperCase()) || call))
    .map(([, , name]) => String(name));
}

function leadingKeys(input: Input, partition: string): string[] {
  const values = objectOf(input.ExpressionAttributeValues) as Values;
  const names = objectOf(input.ExpressionAttributeNames);
  const keys = [objectOf(input.Item), objectOf(input.Key), ...batched(input).map(({ key, item }) => key ?? item ?? {})];
  const found = keys.map((key) => (key as Values)[partition]);
  const condition = String(input.KeyConditionExpression ?? '');
  for (const [, name = '', value = ''] of condition.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === partition) found.push(values[value]);
  }
  const legacy = objectOf(objectOf(input.KeyConditions)[partition]).AttributeValueList;
  found.push(...(listOf(legacy) as Array<Record<string, unknown>>));
  return found.flatMap((value) => (value ? Object.values(value).map(String) : []));
}

function batched(input: Input): Array<{ key?: Input; item?: Input }> {
  const gets = listOf(input.Keys).map((key) => ({ key }));
  const writes = listOf(input.Requests).map((request) => {
    const { PutRequest, DeleteRequest } = request;
    return PutRequest ? { item: objectOf(objectOf(PutRequest).Item) } : { key: objectOf(objectOf(DeleteRequest).Key) };
  });
  return [...gets, ...writes];
}

function objectOf(value: unknown): Input {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): Input[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
