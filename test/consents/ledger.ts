import { randomUUID } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { ConsentState } from '../../functions/access/consent-states.ts';
import { decideAgreement, decideRevocation, type Shown } from '../../functions/consents/rules/consent.ts';
import { partitionOf } from '../../functions/consents/rules/record.ts';
import { decideSeveral } from '../../functions/consents/rules/several.ts';
import { readRecordAt, readRecords, readState } from '../../functions/consents/stores/consent-rows.ts';
import { type ChangeOptions, recordChange, recordChanges } from '../../functions/consents/workflows/record-change.ts';
import { type DynamoDbOptions, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { createTables, handlesNamed } from '../tables.ts';

/** A ledger of one user and one agreement on the local DynamoDB, driven without HTTP: clock and faults are the test's. */

const names = ['ConsentRecords', 'ConsentStates'] as const;
type Tables = Awaited<ReturnType<typeof createTables<(typeof names)[number]>>>;

/** As often as a function tries, and without its time-outs, within which a busy machine may not answer. */
const patient = { maxAttempts: callLimits.maxAttempts };

/** @param limits of the calls of ledgers */
export async function openLedger(options: DynamoDbOptions = {}, limits: DynamoDBClientConfig = patient) {
  const database = await startDynamoDb(options);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const open = (more: DynamoDBClientConfig) =>
    documentsOf(new DynamoDBClient({ ...more, endpoint: database.url, region: 'eu-central-1', credentials }));
  const [client, creator] = [open(limits), open(patient)];
  await createTables(creator, names);
  creator.destroy();
  const tables = handlesNamed(client, names);
  return {
    client,
    ledger: (now: () => Date, pause: ChangeOptions['pause'] = async () => {}) => ledgerOf(tables, now, pause),
    ledgers: (now: () => Date, pause: ChangeOptions['pause'] = async () => {}) => ledgersOf(tables, now, pause),
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

function ledgerOf(tables: Tables, now: () => Date, pause: ChangeOptions['pause']) {
  const owner = { userId: randomUUID(), agreementId: 'marketing' };
  let written = 0;
  const told = () => {
    written += 1;
  };
  const circumstances = () => ({ ...owner, now: now(), requestId: 'request', written: told });
  const page = (limit: number, after: string | null = null) =>
    readRecords(tables.ConsentRecords, owner, { limit, after });
  const change = (decide: (state: ConsentState | null) => ReturnType<typeof decideRevocation>) =>
    recordChange(tables, { ...circumstances(), decide }, { id: randomUUID, pause });
  return {
    agree: (versionId = shown.versionId) => change((state) => decideAgreement(state, { ...shown, versionId }, [])),
    revoke: () => change((state) => decideRevocation(state, [])),
    at: (at: string) => readRecordAt(tables.ConsentRecords, { ...owner, at }),
    /** How often a call learnt that it was the one that wrote. */
    written: () => written,
    state: () => readState(tables.ConsentStates, owner),
    /** A record that no pointer knows of, or only its keys. */
    plant: (recordedAt: string, more: object = { recordId: 'planted', hash: 'planted' }) =>
      putRow(tables.ConsentRecords, { userAgreement: partitionOf(owner), recordedAt, ...more }),
    page,
    /** Oldest first. */
    records: async () => (await page(100)).records.reverse(),
  };
}

export type Ledger = ReturnType<typeof ledgerOf>;

/** The ledgers of one user's agreements; each call has a request id of its own. */
function ledgersOf(tables: Tables, now: () => Date, pause: ChangeOptions['pause']) {
  const userId = randomUUID();
  let written = 0;
  const told = () => {
    written += 1;
  };
  const circumstances = () => ({ userId, now: now(), requestId: randomUUID(), written: told });
  const shownOf = (agreementId: string) => ({ ...shown, versionId: `${agreementId}-1.0` });
  const change = (agreementId: string, decide: (state: ConsentState | null) => ReturnType<typeof decideRevocation>) =>
    recordChange(tables, { ...circumstances(), agreementId, decide }, { id: randomUUID, pause });
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
      const recorded = await recordChanges(tables, { ...circumstances(), decide }, { id: randomUUID, pause });
      if ('refused' in recorded) throw new Error('every version is active');
      return Object.fromEntries(agreementIds.map((id, index) => [id, recorded.agreedAt[index] ?? '']));
    },
    written: () => written,
    state: (agreementId: string) => readState(tables.ConsentStates, { userId, agreementId }),
    /** Oldest first. */
    records: async (agreementId: string) => {
      const page = { limit: 100, after: null };
      return (await readRecords(tables.ConsentRecords, { userId, agreementId }, page)).records.reverse();
    },
  };
}

export type Ledgers = ReturnType<typeof ledgersOf>;
