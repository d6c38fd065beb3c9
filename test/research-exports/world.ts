import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { seededContents } from '../../bin/synthetic-patients/contents.ts';
import { type SyntheticPatient, syntheticPatients } from '../../bin/synthetic-patients/patients.ts';
import { consentRecordsOf } from '../../bin/synthetic-patients/rows.ts';
import { writePatients } from '../../bin/synthetic-patients/write.ts';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import type { Enrolment } from '../../functions/research/rules/enrolment.ts';
import { pseudonymOf } from '../../functions/research/rules/pseudonym.ts';
import { asked, type Design, exportOf, type ResearchExport } from '../../functions/research-exports/rules/export.ts';
import type { Notice } from '../../functions/research-exports/rules/notice.ts';
import { fileKey, readText } from '../../functions/research-exports/stores/export-files.ts';
import { readExportRow } from '../../functions/research-exports/stores/export-rows.ts';
import { continueExport, giveUp, type Outcome } from '../../functions/research-exports/workflows/continue-export.ts';
import type { ResearchExportDependencies } from '../../functions/research-exports/workflows/dependencies.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { startKms } from '../../lib/local/kms/kms.ts';
import { startS3 } from '../../lib/local/s3/s3.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { publicKeysOf } from '../../lib/runtime/sign.ts';
import { createTables, handlesNamed } from '../tables.ts';
import { design } from './design.ts';

/** A study of synthetic patients on this machine's own services, and the queue of its exports, whose invocations end where a test says. */

const names = [
  'Accounts',
  'ConsentRecords',
  'ConsentStates',
  'Devices',
  'DeviceTokens',
  'Enrolments',
  'LearningProgress',
  'QuestionnaireResponses',
  'Questionnaires',
  'ResearchExports',
  'ResearchExportPages',
  'ResearchExportContents',
  'ResearchExportNotices',
  'SleepEntries',
  'SleepEpisodes',
  'Studies',
  'StudyKeys',
  'UserEnrolments',
  'Users',
] as const;
type Name = (typeof names)[number];

const region = 'eu-central-1';
const accountId = '000000000000';
const bucket = 'research';
const maxReceives = 4;

export class Killed extends Error {}

/** Before or after which call of an invocation it ends; the number counts over all invocations. */
export type Kill = { readonly at: number; readonly when: 'before' | 'after' };

export async function openWorld() {
  const started = new AsyncDisposableStack();
  const database = await startDynamoDb();
  started.defer(() => database.close());
  const model = { logicalId: 'Research', name: bucket, arn: `arn:aws:s3:::${bucket}`, isVersioned: false } as const;
  const storage = await startS3({ region, buckets: [{ ...model, lock: null, cors: [], policy: [] }] });
  started.defer(() => storage.close());
  const id = randomUUID();
  const keyArn = `arn:aws:kms:${region}:${accountId}:key/${id}`;
  const key = {
    description: '',
    spec: 'ECC_NIST_P256',
    usage: 'SIGN_VERIFY',
    isEnabled: true,
    aliases: [],
    policy: null,
  };
  const keys = await startKms({ region, accountId, keys: [{ logicalId: id, id, arn: keyArn, ...key }] });
  started.defer(() => keys.close());
  const place = { region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' }, maxAttempts: 1 };
  const open = () => ({
    client: documentsOf(new DynamoDBClient({ ...place, endpoint: database.url })),
    s3: new S3Client({ ...place, endpoint: storage.url, forcePathStyle: true }),
    kms: new KMSClient({ ...place, endpoint: keys.url }),
  });
  const [own, working] = [open(), open()];
  started.defer(async () => [own, working].flatMap((each) => Object.values(each)).forEach((one) => void one.destroy()));
  const tables = await createTables(own.client, names);
  const contents = await seededContents();

  const put = (TableName: Name, Item: Record<string, unknown>) => own.client.send(new PutCommand({ TableName, Item }));
  for (const definition of contents.questionnaires) {
    const { questionnaireId, version } = definition;
    const content = JSON.stringify({ ...definition, publishedAt: '2026-01-01T00:00:00.000Z' });
    await put('Questionnaires', { part: `questionnaire#${questionnaireId}`, name: version, content });
  }

  let [calls, fired] = [0, 0];
  let kills: readonly Kill[] = [];
  let onCall: ((number: number, command: string) => Promise<void>) | undefined;
  let now = Date.parse('2026-11-22T12:00:00.000Z');
  const step = async <T>(act: () => Promise<T>, command: string): Promise<T> => {
    calls += 1;
    const number = calls;
    await onCall?.(number, command);
    const kill = kills.find(({ at }) => at === number);
    if (kill) fired += 1;
    if (kill?.when === 'before') throw new Killed();
    const result = await act();
    if (kill) throw new Killed();
    return result;
  };
  working.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        step(() => next(args), commandName),
    { step: 'initialize' },
  );
  working.s3.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        step(() => next(args), commandName),
    { step: 'initialize' },
  );
  working.kms.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        step(() => next(args), commandName),
    { step: 'initialize' },
  );

  return {
    ...own,
    tables,
    put,
    contents,
    files: { s3: own.s3, bucket },
    calls: () => calls,
    onCall(listener: typeof onCall) {
      onCall = listener;
    },
    elapse(milliseconds: number) {
      now += milliseconds;
    },
    now: () => new Date(now),
    /** Patients, and a study in which all who ever consented are enrolled, on the last consent that they gave. */
    async study(plan: { patients: number; days: number; seed: number }) {
      const studyId = `study-${randomUUID()}`;
      const secret = new Uint8Array(randomBytes(32));
      await put('StudyKeys', { studyId, secret });
      const until = '2026-11-21';
      const patients = [...syntheticPatients({ ...plan, until }, contents)];
      await writePatients({ tables }, patients, contents);
      const chains = new Map(patients.map((patient) => [patient.userId, chainOf(patient)]));
      const enrolments = patients.flatMap((patient) => enrolmentOf(studyId, patient, chains.get(patient.userId) ?? []));
      for (const enrolment of enrolments) await put('Enrolments', enrolment);
      return { studyId, secret, patients, chains, enrolments, nameOf: (userId: string) => pseudonymOf(secret, userId) };
    },
    async request(studyId: string, asks: Partial<Design> = {}): Promise<ResearchExport> {
      const at = new Date(now);
      const random = randomUUID().replaceAll('-', '');
      const row = asked({ studyId, enrolledUntil: at, now: at, random });
      const key = { kind: 'study', studyKey: studyId };
      await put('Studies', { ...key, studyId, state: 'recruiting', ...design, ...asks });
      await put('ResearchExports', row);
      await put('ResearchExports', { studyId, exportId: '~latest', latestId: row.exportId });
      return exportOf(row);
    },
    /**
     * Works an export off as the queue does: what throws comes again after six minutes, four times in all.
     *
     * @returns what the invocations said, and how many kills there were: calls at once can end one invocation twice
     */
    async work(
      named: Pick<ResearchExport, 'studyId' | 'exportId'>,
      how: {
        kills?: readonly Kill[];
        sizes?: ResearchExportDependencies['sizes'];
        remainingMs?: () => number;
        deliveries?: number;
        maySign?: ResearchExportDependencies['maySign'];
      } = {},
    ) {
      [calls, fired, kills] = [0, 0, how.kills ?? []];
      const queue = [{ received: 0, delayMs: 0 }];
      const outcomes: Outcome[] = [];
      const deps: ResearchExportDependencies = {
        kms: working.kms,
        files: { s3: working.s3, bucket },
        tables: handlesNamed(working.client, names),
        keyArn,
        maySign: how.maySign ?? (async () => undefined),
        environment: 'dev',
        send: (_message, seconds) =>
          step(async () => void queue.push({ received: 0, delayMs: seconds * 1000 }), 'send'),
        now: () => new Date(now),
        remainingMs: how.remainingMs ?? (() => 60_000),
        sizes: how.sizes ?? { pageEnrolments: 10, partBytes: 6 * 1024 * 1024 },
      };
      for (let next = queue.shift(); next && (how.deliveries ?? 2_000) > outcomes.length; next = queue.shift()) {
        now += next.delayMs + 1;
        const received = next.received + 1;
        try {
          outcomes.push(await continueExport(deps, named));
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          if (received >= maxReceives)
            await giveUp({ ...deps, tables, kms: own.kms, files: { s3: own.s3, bucket } }, named);
          else queue.push({ received, delayMs: 6 * 60_000 });
        }
      }
      return { outcomes, fired };
    },
    async row(named: Pick<ResearchExport, 'studyId' | 'exportId'>): Promise<ResearchExport> {
      const found = await readExportRow(tables.ResearchExports, named);
      if (!found) throw new Error('no such export');
      return found;
    },
    text: (named: Pick<ResearchExport, 'studyId' | 'exportId'>, file: string) =>
      readText({ s3: own.s3, bucket }, fileKey(named, file)),
    async keys(prefix: string): Promise<string[]> {
      const { Contents = [] } = await own.s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return Contents.map(({ Key = '' }) => Key.slice(prefix.length)).toSorted();
    },
    async notices(studyId: string): Promise<Notice[]> {
      const query = { TableName: 'ResearchExportNotices', KeyConditionExpression: 'studyId = :studyId' };
      const values = { ExpressionAttributeValues: { ':studyId': studyId } };
      return ((await own.client.send(new QueryCommand({ ...query, ...values }))).Items ?? []) as Notice[];
    },
    trustedKeys: () => publicKeysOf(own.kms, [keyArn]),
    close: () => started.disposeAsync(),
  };
}

export type ResearchWorld = Awaited<ReturnType<typeof openWorld>>;

function chainOf(patient: SyntheticPatient): ConsentRecord[] {
  return consentRecordsOf(patient).filter(({ agreementId }) => agreementId === design.agreementId);
}

/** Also of those who revoked: the stream has not come to them. */
function enrolmentOf(
  studyId: string,
  { userId, joinedAt }: SyntheticPatient,
  chain: readonly ConsentRecord[],
): Enrolment[] {
  const consent = chain.findLast(({ action }) => action === 'agreed');
  if (!consent) return [];
  const { recordId: consentId, recordedAt: consentRecordedAt, sequence: consentSequence } = consent;
  const rests = { agreementId: design.agreementId, consentId, consentRecordedAt, consentSequence };
  const left = { leftAt: null, keepExported: false, codeId: 'code', revision: 1 };
  return [{ studyId, userId, enrolledAt: joinedAt, group: null, ...rests, ...left }];
}

/** The rows of a file in NDJSON. */
export function rowsIn(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
