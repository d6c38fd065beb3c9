import { randomUUID } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type ConsentState,
  decideAgreement,
  decideRevocation,
  type Shown,
} from '../../functions/consents/rules/consent.ts';
import { decideSeveral } from '../../functions/consents/rules/several.ts';
import { readRecordAt, readRecords, readState } from '../../functions/consents/stores/consent-rows.ts';
import { type ChangeOptions, recordChange, recordChanges } from '../../functions/consents/workflows/record-change.ts';
import { type DynamoDbOptions, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { createTables } from '../tables.ts';

/** A ledger of one user and one agreement on the local DynamoDB, driven without HTTP: clock and faults are the test's. */

const names = { ConsentRecords: 'ConsentRecords', ConsentStates: 'ConsentStates' } as const;

/** As often as a function tries, and without its time-outs, within which a busy machine may not answer. */
const patient = { maxAttempts: callLimits.maxAttempts };

/** @param limits of the calls of ledgers */
export async function openLedger(options: DynamoDbOptions = {}, limits: DynamoDBClientConfig = patient) {
  const database = await startDynamoDb(options);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const open = (more: DynamoDBClientConfig) =>
    documentsOf(new DynamoDBClient({ ...more, endpoint: database.url, region: 'eu-central-1', credentials }));
  const [client, creator] = [open(limits), open(patient)];
  await createTables(creator, ['ConsentRecords', 'ConsentStates']);
  creator.destroy();
  return {
    client,
    ledger: (now: () => Date, pause: ChangeOptions['pause'] = async () => {}) => ledgerOf(client, now, pause),
    ledgers: (now: () => Date, pause: ChangeOptions['pause'] = async () => {}) => ledgersOf(client, now, pause),
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

function ledgerOf(client: DynamoDBDocumentClient, now: () => Date, pause: ChangeOptions['pause']) {
  const owner = { userId: randomUUID(), agreementId: 'marketing' };
  let written = 0;
  const told = () => {
    written += 1;
  };
  const circumstances = () => ({ ...owner, now: now(), requestId: 'request', written: told });
  const change = (decide: (state: ConsentState | null) => ReturnType<typeof decideRevocation>) =>
    recordChange(client, names, { ...circumstances(), decide }, { id: randomUUID, pause });
  return {
    agree: (versionId = shown.versionId) => change((state) => decideAgreement(state, { ...shown, versionId }, [])),
    revoke: () => change((state) => decideRevocation(state, [])),
    at: (at: string) => readRecordAt(client, names.ConsentRecords, { ...owner, at }),
    /** How often a call learnt that it was the one that wrote. */
    written: () => written,
    state: () => readState(client, names.ConsentStates, owner),
    /** A record that no pointer knows of. */
    plant: (recordedAt: string) => {
      const Item = {
        userAgreement: `${owner.userId}#${owner.agreementId}`,
        recordedAt,
        recordId: 'planted',
        hash: 'planted',
      };
      return client.send(new PutCommand({ TableName: names.ConsentRecords, Item }));
    },
    /** Oldest first. */
    records: async () =>
      (await readRecords(client, names.ConsentRecords, owner, { limit: 100, after: null })).records.reverse(),
  };
}

export type Ledger = ReturnType<typeof ledgerOf>;

/** The ledgers of one user's agreements; each call has a request id of its own. */
function ledgersOf(client: DynamoDBDocumentClient, now: () => Date, pause: ChangeOptions['pause']) {
  const userId = randomUUID();
  let written = 0;
  const told = () => {
    written += 1;
  };
  const circumstances = () => ({ userId, now: now(), requestId: randomUUID(), written: told });
  const shownOf = (agreementId: string) => ({ ...shown, versionId: `${agreementId}-1.0` });
  const change = (agreementId: string, decide: (state: ConsentState | null) => ReturnType<typeof decideRevocation>) =>
    recordChange(client, names, { ...circumstances(), agreementId, decide }, { id: randomUUID, pause });
  return {
    agree: (agreementId: string) => change(agreementId, (state) => decideAgreement(state, shownOf(agreementId), [])),
    revoke: (agreementId: string) => change(agreementId, (state) => decideRevocation(state, [])),
    /** @returns since when each is agreed to, by agreement */
    async agreeToAll(agreementIds: readonly string[]): Promise<Record<string, string>> {
      const wanted = agreementIds.map((agreementId) => {
        const its = shownOf(agreementId);
        return { agreementId, activeVersionId: its.versionId, shown: its };
      });
      const decide = (states: ReadonlyMap<string, ConsentState>) => decideSeveral(wanted, { states, ends: [] });
      const recorded = await recordChanges(client, names, { ...circumstances(), decide }, { id: randomUUID, pause });
      if ('refused' in recorded) throw new Error('every version is active');
      return Object.fromEntries(agreementIds.map((id, index) => [id, recorded.agreedAt[index] ?? '']));
    },
    written: () => written,
    state: (agreementId: string) => readState(client, names.ConsentStates, { userId, agreementId }),
    /** Oldest first. */
    records: async (agreementId: string) => {
      const page = { limit: 100, after: null };
      return (await readRecords(client, names.ConsentRecords, { userId, agreementId }, page)).records.reverse();
    },
  };
}

export type Ledgers = ReturnType<typeof ledgersOf>;
