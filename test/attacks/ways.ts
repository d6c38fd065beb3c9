import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../lib/contract/tables.ts';
import type { TableAccess } from '../../lib/contract/uses.ts';

/** Every call that reads, changes or removes a row, and which accesses of a declaration allow it: said without lib/stack. */

export type Row = Record<string, unknown>;

/** `Key` is of no row; `named` is an attribute that an `adjust` may change. */
export type Target = { readonly TableName: string; readonly Key: Row; readonly Item: Row; readonly named: string };

type Way = { readonly by: readonly TableAccess[]; readonly make: (place: Target) => unknown };

/** A write that is allowed fails by this, so that it disturbs nobody. A condition names an attribute, as to IAM: so it is a key. */
const ifThere = (Key: Row) => ({
  ConditionExpression: 'attribute_exists(#key)',
  ExpressionAttributeNames: { '#key': Object.keys(Key)[0] ?? '' },
});

function change(Key: Row, name: string) {
  const { ConditionExpression, ExpressionAttributeNames } = ifThere(Key);
  return {
    ConditionExpression,
    UpdateExpression: 'SET #name = :forged',
    ExpressionAttributeNames: { ...ExpressionAttributeNames, '#name': name },
    ExpressionAttributeValues: { ':forged': 'forged' },
  };
}

/** What comes of a call: whether IAM let it pass. */
export function outcomeOf(error: unknown): 'done' | 'refused' {
  const message = String(error);
  if (message.includes('not authorized')) return 'refused';
  if (message.includes('ConditionalCheckFailed')) return 'done';
  throw error;
}

const whereOf = (Key: Row) =>
  Object.entries(Key)
    .map(([name, value]) => `"${name}"='${value}'`)
    .join(' AND ');
const insertion = ({ TableName, Key }: Target) =>
  `INSERT INTO "${TableName}" VALUE {${Object.entries(Key).map(([name, value]) => `'${name}':'${value}'`)}}`;
const updating = ({ TableName, Key }: Target) => `UPDATE "${TableName}" SET "forged"='x' WHERE ${whereOf(Key)}`;
const deletion = ({ TableName, Key }: Target) => `DELETE FROM "${TableName}" WHERE ${whereOf(Key)}`;

const inTransaction = (item: object) => new TransactWriteCommand({ TransactItems: [item] as never });
const inBatch = ({ TableName }: Target, request: object) =>
  new BatchWriteCommand({ RequestItems: { [TableName]: [request] } } as never);

const putting: readonly TableAccess[] = ['write', 'append', 'replace'];
const updatingBy: readonly TableAccess[] = ['write', 'adjust'];
const deleting: readonly TableAccess[] = ['remove', 'discard', 'replace'];
const getting: readonly TableAccess[] = ['get', 'read', 'write', 'remove'];

export const ways: Readonly<Record<string, Way>> = {
  'a put in a transaction': {
    by: putting,
    make: ({ TableName, Key, Item }) => inTransaction({ Put: { TableName, Item, ...ifThere(Key) } }),
  },
  'a put in a transaction, of another attribute': {
    by: putting,
    make: ({ TableName, Key, Item }) =>
      inTransaction({ Put: { TableName, Item: { ...Item, forged: 'x' }, ...ifThere(Key) } }),
  },
  'a put': { by: ['write'], make: ({ TableName, Key, Item }) => new PutCommand({ TableName, Item, ...ifThere(Key) }) },
  'a put in a batch': { by: [], make: (place) => inBatch(place, { PutRequest: { Item: place.Item } }) },
  'an insert of PartiQL': {
    by: [],
    make: (place) => new ExecuteStatementCommand({ Statement: insertion(place) }),
  },
  'an update in a transaction, of any attribute': {
    by: updatingBy,
    make: ({ TableName, Key }) => inTransaction({ Update: { TableName, Key, ...change(Key, 'forged') } }),
  },
  'an update in a transaction, of an attribute for it': {
    by: updatingBy,
    make: ({ TableName, Key, named }) => inTransaction({ Update: { TableName, Key, ...change(Key, named) } }),
  },
  'an update': {
    by: ['write'],
    make: ({ TableName, Key, named }) => new UpdateCommand({ TableName, Key, ...change(Key, named) }),
  },
  'an update of PartiQL, in a batch': {
    by: [],
    make: (place) => new BatchExecuteStatementCommand({ Statements: [{ Statement: updating(place) }] }),
  },
  'a deletion in a transaction': {
    by: deleting,
    make: ({ TableName, Key }) => inTransaction({ Delete: { TableName, Key } }),
  },
  'a deletion': { by: ['remove'], make: ({ TableName, Key }) => new DeleteCommand({ TableName, Key }) },
  'a deletion in a batch': { by: [], make: (place) => inBatch(place, { DeleteRequest: { Key: place.Key } }) },
  'a deletion of PartiQL, in a transaction': {
    by: [],
    make: (place) => new ExecuteTransactionCommand({ TransactStatements: [{ Statement: deletion(place) }] }),
  },
  'a look at one row': { by: getting, make: ({ TableName, Key }) => new GetCommand({ TableName, Key }) },
  'the same in a transaction': {
    by: getting,
    make: ({ TableName, Key }) => new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
  },
  'a look at rows by their keys': {
    by: ['batch'],
    make: ({ TableName, Key }) => new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }),
  },
  'a query': {
    by: ['read', 'write', 'remove', 'expire'],
    make: ({ TableName, Key }) => {
      const [[name, value] = []] = Object.entries(Key);
      return new QueryCommand({
        ...{ TableName, KeyConditionExpression: '#name = :value' },
        ...{ ExpressionAttributeNames: { '#name': String(name) }, ExpressionAttributeValues: { ':value': value } },
      });
    },
  },
  'a scan': { by: ['scan'], make: ({ TableName }) => new ScanCommand({ TableName, Limit: 1 }) },
  'a select of PartiQL': {
    by: [],
    make: ({ TableName }) => new ExecuteStatementCommand({ Statement: `SELECT * FROM "${TableName}"` }),
  },
};

/** Nobody deletes a row of a ledger, or changes one; and whoever appends writes its attributes only. */
export function isAllowed(name: string, table: Table, accesses: readonly TableAccess[]): boolean {
  const isOther = /any attribute|another attribute/.test(name);
  const asUsual = (access: TableAccess) => {
    if (access === 'adjust' && table.adjustable && isOther) return false;
    if (table.ledger && putting.includes(access) && isOther) return false;
    return ways[name]?.by.includes(access) ?? false;
  };
  return accesses.some(asUsual);
}
