import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type ConsentState,
  decideAgreement,
  decideRevocation,
  type Shown,
} from '../../functions/agreements/consent.ts';
import { readRecordAt, readRecords, readState } from '../../functions/agreements/consent-store.ts';
import { type Chance, recordChange } from '../../functions/agreements/record-change.ts';
import { type DynamoDbOptions, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { callLimits } from '../../lib/runtime/clients.ts';
import { createTables } from '../tables.ts';

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
  await createTables(client, ['ConsentRecords', 'ConsentStates']);
  return {
    client,
    ledger: (now: () => Date, pause: Chance['pause'] = async () => {}) => ledgerOf(client, now, pause),
    async close() {
      client.destroy();
      await database.close();
    },
  };
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
  let written = 0;
  const told = () => {
    written += 1;
  };
  const circumstances = () => ({ ...owner, now: now(), requestId: 'request', written: told });
  const change = (decide: (state: ConsentState | null) => ReturnType<typeof decideRevocation>) =>
    recordChange(client, names, { ...circumstances(), decide }, { id: randomUUID, pause });
  return {
    agree: (versionId = shown.versionId) => change((state) => decideAgreement(state, { ...shown, versionId })),
    revoke: () => change(decideRevocation),
    at: (at: string) => readRecordAt(client, names.ConsentRecords, { ...owner, at }),
    /** How often a call was told that it was the one that wrote. */
    written: () => written,
    state: () => readState(client, names.ConsentStates, owner),
    /** A record that no pointer knows of. */
    plant: (recordedAt: string) => {
      const Item = { userAgreement: `${owner.userId}#${owner.agreementId}`, recordedAt, recordId: 'planted' };
      return client.send(new PutCommand({ TableName: names.ConsentRecords, Item }));
    },
    /** Oldest first. */
    records: async () =>
      (await readRecords(client, names.ConsentRecords, owner, { limit: 100, after: null })).records.reverse(),
  };
}

export type Ledger = ReturnType<typeof ledgerOf>;
