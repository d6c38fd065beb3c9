import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetResourcePolicyCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  QueryCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { createTable, errorOf, key, startDatabase } from './database.ts';

const database = await startDatabase({
  endpoint: undefined,
  region: 'eu-central-1',
  accountId: '123456789012',
});
const client = database.client;
afterAll(() => database.close());

test('a table takes what the template says of it', async () => {
  const TableName = 'Template';
  const created = await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'p', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'p', KeyType: 'HASH' }],
      StreamSpecification: {
        StreamEnabled: true,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      SSESpecification: { Enabled: true, SSEType: 'KMS' },
      TableClass: 'STANDARD',
      DeletionProtectionEnabled: true,
      OnDemandThroughput: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 10 },
      ResourcePolicy: '{"Version":"2012-10-17","Statement":[]}',
      Tags: [{ Key: 'stage', Value: 'dev' }],
    }),
  );
  const ResourceArn = `arn:aws:dynamodb:eu-central-1:123456789012:table/${TableName}`;
  expect(created.TableDescription).toMatchObject({
    TableStatus: 'ACTIVE',
    TableArn: ResourceArn,
  });
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({
    DeletionProtectionEnabled: true,
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  });
  const { Policy } = await client.send(new GetResourcePolicyCommand({ ResourceArn }));
  expect(Policy).toContain('2012-10-17');
  const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
  expect(Tags).toEqual([{ Key: 'stage', Value: 'dev' }]);

  expect((await errorOf(client.send(new DeleteTableCommand({ TableName })))).message).toMatch(
    /protected against deletion/,
  );
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await client.send(new DeleteTableCommand({ TableName }));
  const { TableNames } = await client.send(new ListTablesCommand({}));
  expect(TableNames).not.toContain(TableName);
});

test('a table that exists is ResourceInUseException', async () => {
  const TableName = await createTable(client);
  const again = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'p', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'p', KeyType: 'HASH' }],
  });
  expect((await errorOf(client.send(again))).name).toBe('ResourceInUseException');
});

test('time to live and backups are remembered', async () => {
  const TableName = await createTable(client);
  const status = async () => (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
  expect(await status()).toEqual({ TimeToLiveStatus: 'DISABLED' });
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
  const enable = () => client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  await enable();
  expect(await status()).toEqual({
    TimeToLiveStatus: 'ENABLED',
    AttributeName: 'expiresAt',
  });
  expect((await errorOf(enable())).message).toBe('TimeToLive is already enabled');

  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification,
    }),
  );
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  expect(backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe(
    'ENABLED',
  );
});

test('an index that is added later finds the items that are there', async () => {
  const TableName = await createTable(client);
  await client.send(new PutItemCommand({ TableName, Item: { ...key('x'), h: { S: 'late' } } }));
  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: ['p', 's', 'g', 'h'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'by-h',
            KeySchema: [{ AttributeName: 'h', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    }),
  );
  const query = () =>
    client.send(
      new QueryCommand({
        TableName,
        IndexName: 'by-h',
        KeyConditionExpression: 'h = :h',
        ExpressionAttributeValues: { ':h': { S: 'late' } },
      }),
    );
  expect((await query()).Items).toEqual([{ ...key('x'), h: { S: 'late' } }]);
  await client.send(
    new UpdateTableCommand({
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-h' } }],
    }),
  );
  expect((await errorOf(query())).message).toMatch(/does not have the specified index/);
});

test('a table may be named by its ARN', async () => {
  const TableName = await createTable(client);
  const { Table } = await client.send(
    new DescribeTableCommand({
      TableName: `arn:aws:dynamodb:eu-central-1:123456789012:table/${TableName}`,
    }),
  );
  expect(Table?.TableName).toBe(TableName);
});
