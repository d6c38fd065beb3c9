import { randomUUID } from 'node:crypto';
import { check, type IndexDescription, type Json, type LevelOperation, type TableDescription } from './dynalite.ts';
import { failure, invalid } from './failures.ts';
import { itemKey, type Journal, tableKey } from './journal.ts';
import { type Streams, wantedStream } from './streams.ts';
import { Table } from './table.ts';
import type { StoredTables } from './view.ts';

type Context = { tables: StoredTables; streams: Streams; journal: Journal; arnPrefix: string };
type TableCall = (input: Json, context: Context) => Json;

/**
 * The calls about tables. A table is ACTIVE immediately. Settings that only AWS can apply (backups, policies) are only
 * stored.
 */
export function tableCall(action: string, input: Json, context: Context): Json {
  const call = CALLS[action];
  if (!call) throw failure('com.amazon.coral.service#UnknownOperationException', '');
  return call(input, context);
}

const CALLS: Record<string, TableCall> = {
  CreateTable: createTable,
  UpdateTable: updateTable,
  DeleteTable: deleteTable,
  DescribeTable: (input, context) => ({ Table: named(input, context).describe() }),
  ListTables: listTables,
  UpdateTimeToLive: updateTimeToLive,
  DescribeTimeToLive(input, context) {
    const { timeToLive } = named(input, context).settings;
    if (!timeToLive?.Enabled) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } };
    const { AttributeName } = timeToLive;
    return { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName } };
  },
  UpdateContinuousBackups(input, context) {
    const table = named(input, context);
    const wanted = input.PointInTimeRecoverySpecification as { PointInTimeRecoveryEnabled?: boolean } | undefined;
    table.settings.pointInTimeRecovery = wanted?.PointInTimeRecoveryEnabled === true;
    remember(table, context);
    return backups(table);
  },
  DescribeContinuousBackups: (input, context) => backups(named(input, context)),
  PutResourcePolicy(input, context) {
    const table = byArn(input, context);
    table.settings.policy = { Policy: String(input.Policy), RevisionId: String(Date.now()) };
    remember(table, context);
    return { RevisionId: table.settings.policy.RevisionId };
  },
  GetResourcePolicy(input, context) {
    const { policy } = byArn(input, context).settings;
    if (!policy) throw failure('PolicyNotFoundException', 'The policy was not found');
    return policy;
  },
  DeleteResourcePolicy(input, context) {
    const table = byArn(input, context);
    delete table.settings.policy;
    remember(table, context);
    return {};
  },
  TagResource(input, context) {
    const table = byArn(input, context);
    table.settings.tags = { ...table.settings.tags, ...tagsOf(input) };
    remember(table, context);
    return {};
  },
  UntagResource(input, context) {
    const table = byArn(input, context);
    for (const key of (input.TagKeys as string[] | undefined) ?? []) delete table.settings.tags?.[key];
    remember(table, context);
    return {};
  },
  ListTagsOfResource(input, context) {
    const tags = Object.entries(byArn(input, context).settings.tags ?? {});
    return { Tags: tags.map(([Key, Value]) => ({ Key, Value })) };
  },
};

function createTable(input: Json, context: Context): Json {
  const { BillingMode, ...data } = check('CreateTable', input) as Json & TableDescription;
  if (context.tables.has(data.TableName)) {
    throw failure('ResourceInUseException', `Table already exists: ${data.TableName}`);
  }
  const stream = wantedStream(input) ?? 'none';
  const TableArn = context.arnPrefix + data.TableName;
  const none = { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 };
  const indexed = (index: IndexDescription) => describeIndex(index, TableArn);
  const description: TableDescription = {
    ...data,
    TableArn,
    TableId: randomUUID(),
    TableStatus: 'ACTIVE',
    CreationDateTime: Date.now() / 1000,
    TableSizeBytes: 0,
    ProvisionedThroughput: { ...none, ...((data.ProvisionedThroughput as object | undefined) ?? {}) },
    ...(BillingMode ? { BillingModeSummary: { BillingMode } } : {}),
    ...(data.LocalSecondaryIndexes ? { LocalSecondaryIndexes: data.LocalSecondaryIndexes.map(indexed) } : {}),
    ...(data.GlobalSecondaryIndexes ? { GlobalSecondaryIndexes: data.GlobalSecondaryIndexes.map(indexed) } : {}),
    ...protection(input),
  };
  const table = new Table(description, {
    ...(input.Tags ? { tags: tagsOf(input) } : {}),
    ...(input.ResourcePolicy ? { policy: { Policy: String(input.ResourcePolicy), RevisionId: '1' } } : {}),
  });
  context.tables.set(data.TableName, table);
  remember(table, context, context.streams.create(table, stream, Date.now()));
  return { TableDescription: table.describe() };
}

/** Adds and drops global indexes and streams for a changed template. Capacity settings are not stored. */
function updateTable(input: Json, context: Context): Json {
  const table = named(input, context);
  const stream = wantedStream(input);
  const more = stream ? context.streams.update(table, stream, Date.now()) : [];
  Object.assign(table.description, protection(input));
  const definitions = input.AttributeDefinitions as TableDescription['AttributeDefinitions'] | undefined;
  if (definitions) table.description.AttributeDefinitions = definitions;
  if (input.BillingMode) table.description.BillingModeSummary = { BillingMode: input.BillingMode };
  type Update = { Create?: IndexDescription; Delete?: { IndexName: string } };
  for (const { Create, Delete } of (input.GlobalSecondaryIndexUpdates as Update[] | undefined) ?? []) {
    if (Create && table.index(Create.IndexName)) {
      throw invalid(`Attempting to create an index which already exists: ${Create.IndexName}`);
    }
    if (Create) table.addIndex(describeIndex(Create, table.description.TableArn));
    if (Delete) table.dropIndex(Delete.IndexName);
  }
  remember(table, context, more);
  return { TableDescription: table.describe() };
}

function deleteTable(input: Json, context: Context): Json {
  const table = named(input, context);
  const { TableName, DeletionProtectionEnabled } = table.description;
  if (DeletionProtectionEnabled) {
    throw invalid(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    );
  }
  const TableDescription = { ...table.describe(), TableStatus: 'DELETING' };
  context.tables.delete(TableName);
  const keys = [tableKey(TableName), ...table.items.keys().map((key) => itemKey(TableName, key))];
  const closed = context.streams.close(table, Date.now());
  context.journal.append([...closed, ...keys.map((key): LevelOperation => ({ type: 'del', key }))]);
  return { TableDescription };
}

function listTables({ ExclusiveStartTableName, Limit }: Json, { tables }: Context): Json {
  const after = typeof ExclusiveStartTableName === 'string' ? ExclusiveStartTableName : '';
  const names = [...tables.keys()].sort().filter((name) => name > after);
  const TableNames = names.slice(0, typeof Limit === 'number' ? Limit : 100);
  const last = TableNames.at(-1);
  return { TableNames, ...(last && TableNames.length < names.length ? { LastEvaluatedTableName: last } : {}) };
}

function updateTimeToLive(input: Json, context: Context): Json {
  const table = named(input, context);
  const wanted = input.TimeToLiveSpecification as { Enabled: boolean; AttributeName: string };
  if (wanted.Enabled === (table.settings.timeToLive?.Enabled ?? false)) {
    throw invalid(`TimeToLive is already ${wanted.Enabled ? 'enabled' : 'disabled'}`);
  }
  table.settings.timeToLive = wanted;
  remember(table, context);
  return { TimeToLiveSpecification: wanted };
}

function named({ TableName }: Json, { tables }: Context): Table {
  const table = tables.get(String(TableName));
  if (table) return table;
  throw failure('ResourceNotFoundException', `Requested resource not found: Table: ${TableName} not found`);
}

function byArn({ ResourceArn }: Json, context: Context): Table {
  return named({ TableName: String(ResourceArn).split(':table/')[1]?.split('/')[0] }, context);
}

function remember({ description, settings }: Table, { journal }: Context, more: LevelOperation[] = []): void {
  journal.append([{ type: 'put', key: tableKey(description.TableName), value: { description, settings } }, ...more]);
}

function describeIndex(index: IndexDescription, tableArn: string): IndexDescription {
  return {
    ...index,
    IndexArn: `${tableArn}/index/${index.IndexName}`,
    IndexStatus: 'ACTIVE',
    IndexSizeBytes: 0,
    ItemCount: 0,
  };
}

function protection({ DeletionProtectionEnabled }: Json): Json {
  return DeletionProtectionEnabled === undefined ? {} : { DeletionProtectionEnabled };
}

function tagsOf({ Tags }: Json): Record<string, string> {
  return Object.fromEntries(
    ((Tags as Array<{ Key: string; Value: string }> | undefined) ?? []).map((tag) => [tag.Key, tag.Value]),
  );
}

function backups({ settings }: Table): Json {
  const PointInTimeRecoveryStatus = settings.pointInTimeRecovery ? 'ENABLED' : 'DISABLED';
  const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus };
  return { ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription } };
}
