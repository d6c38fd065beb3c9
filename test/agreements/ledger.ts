import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type ConsentState,
  decideAgreement,
  decideRevocation,
  type Shown,
} from '../../functions/agreements/consent.ts';
import { readRecords, readState } from '../../functions/agreements/consent-store.ts';
import { type Chance, recordChange } from '../../functions/agreements/record-change.ts';
import { type TableName, tables } from '../../lib/contract/tables.ts';
import { type DynamoDbOptions, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { callLimits } from '../../lib/runtime/clients.ts';

/** A ledger of one user and one agreement on the local DynamoDB, driven without HTTP: clock and faults are the test's. */

const names = { ConsentRecords: 'ConsentRecords', ConsentStates: 'ConsentStates' } as const;

export async function openLedger(options: DynamoDbOptions = {}) {
  const database = await startDynamoDb(options);
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...callLimits,
      endpoint: database.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    }),
  );
  for (const name of Object.values(names)) await createTable(client, name);
  return {
    client,
    ledger: (now: () => Date, pause: Chance['pause'] = async () => {}) => ledgerOf(client, now, pause),
    async close() {
      client.destroy();
      await database.close();
    },
  };
}

async function createTable(client: DynamoDBDocumentClient, name: TableName & keyof typeof names): Promise<void> {
  const { partitionKey, sortKey } = tables[name];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [partitionKey, sortKey].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
    }),
  );
}

const shown: Shown = {
  versionId: 'marketing-1.0',
  contentHash: 'c'.repeat(64),
  locale: 'en',
  localeSource: 'negotiated',
  appVersion: null,
};

function ledgerOf(client: DynamoDBDocumentClient, now: () => Date, pause: Chance['pause']) {
  const owner = { userId: randomUUID(), agreementId: 'marketing' };
  const change = (decide: (state: ConsentState | null) => ReturnType<typeof decideRevocation>) =>
    recordChange(client, names, { ...owner, now: now(), requestId: 'request', decide }, { id: randomUUID, pause });
  return {
    agree: (versionId = shown.versionId) => change((state) => decideAgreement(state, { ...shown, versionId })),
    revoke: () => change(decideRevocation),
    state: () => readState(client, names.ConsentStates, owner),
    /** Oldest first. */
    records: async () =>
      (await readRecords(client, names.ConsentRecords, owner, { limit: 100, after: null })).records.reverse(),
  };
}

export type Ledger = ReturnType<typeof ledgerOf>;
