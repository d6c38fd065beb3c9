import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { nextRecord, partitionOf, stateOf } from '../../functions/consents/rules/record.ts';
import { writeFhirFile } from '../../functions/fhir/exports.ts';
import { addDays } from '../../functions/sleep/rules/dates.ts';
import type { ExportPosition } from '../../lib/runtime/exporter.ts';
import { localTables } from '../local-tables.ts';
import { instrument } from '../questionnaires/instruments.ts';
import { diaryNight, episode } from './samples.ts';

/** `fhir.json` of somebody with much data, made page by page on the local DynamoDB. */

const names = [
  'Accounts',
  'Users',
  'ConsentStates',
  'ConsentRecords',
  'ConsentReceipts',
  'Agreements',
  'QuestionnaireResponses',
  'Questionnaires',
  'SleepEntries',
  'SleepEpisodes',
] as const;
const userId = 'u';
const person = { userId, application: 'sleepcare', locale: 'en', timeZone: 'UTC' } as const;

const { client: dynamo, tables } = await localTables(names);

async function putAll(table: string, items: readonly object[]) {
  for (let from = 0; from < items.length; from += 25) {
    const puts = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    await dynamo.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
}

/** Agreed, agreed to a newer version, revoked, and again. */
function chainOf(agreementId: string, length: number): ConsentRecord[] {
  const records: ConsentRecord[] = [];
  for (let index = 0; index < length; index += 1) {
    const change = { versionId: `${agreementId}-${index}`, contentHash: 'a'.repeat(64), locale: 'de' } as const;
    const more = { localeSource: 'stated', appVersion: null } as const;
    const action = index % 3 === 2 ? 'revoked' : 'agreed';
    const at = { userId, agreementId, now: new Date(Date.UTC(2026, 0, 1 + index)), requestId: 'r' };
    const recordId = `${agreementId}.${index}`;
    records.push(nextRecord(records.at(-1) ?? null, { ...change, ...more, action }, { ...at, recordId }));
  }
  return records;
}

type Resource = Readonly<Record<string, unknown>> & { readonly resourceType: string; readonly id: string };

test('all of it is there once, whichever page is written again after a crash', async () => {
  // More agreements than are read at once, one of them of many pages.
  const chains = [1, 70, 3, 2, 1, 5, 4, 6].map((length, index) => chainOf(`agreement-${index}`, length));
  await putAll(
    'ConsentStates',
    chains.map((chain) => stateOf(chain.at(-1) as ConsentRecord)),
  );
  const records = chains.flat();
  await putAll(
    'ConsentRecords',
    records.map((record) => ({ userAgreement: partitionOf(record), ...record })),
  );
  // Keys alone, which somebody planted who may set expiries.
  const planted = Array.from({ length: 60 }, (_, index) => new Date(Date.UTC(2027, 0, 1, 0, 0, index)).toISOString());
  await putAll(
    'ConsentRecords',
    planted.map((recordedAt) => ({ userAgreement: `${userId}#agreement-2`, recordedAt, expiresAt: 1 })),
  );
  const receipt = { receiptId: 'agreement-1.1', issuedAt: '2026-03-01T00:00:00.000Z', receipt: 'a.b.c' };
  await putAll('ConsentReceipts', [
    { userAgreement: `${userId}#agreement-1`, recordedAt: '2026-01-02T00:00:00.000Z', ...receipt },
  ]);
  const dates = Array.from({ length: 120 }, (_, index) => addDays('2026-03-29', -index));
  await putAll(
    'SleepEntries',
    dates.map((date) => ({ userId, ...diaryNight, date })),
  );
  const nights = dates.slice(0, 30).map((date) => episode({ asleepCore: 3600 }, { date, sourceId: date }));
  await putAll(
    'SleepEpisodes',
    nights.map((night) => ({ userId, episodeKey: `${night.date}#healthkit#${night.date}`, ...night })),
  );
  // Under it only the date of an id.
  await putAll(
    'SleepEpisodes',
    nights.map(({ date }) => ({ userId, episodeKey: `id#healthkit#${date}`, date })),
  );
  // Rows that nothing can be made of.
  await putAll('SleepEpisodes', [{ userId, episodeKey: `${randomUUID()}`, canary: 'planted' }]);
  await putAll('SleepEntries', [{ userId, date: '2026-04-01', canary: 'planted' }]);
  const nowhere = { ...diaryNight.content, zone: 'nowhere' };
  await putAll('SleepEntries', [{ userId, ...diaryNight, date: '2026-04-02', content: nowhere }]);
  const elsewhere = episode({ asleepCore: 3600 }, { date: '2026-04-02', zone: 'nowhere' });
  await putAll('SleepEpisodes', [{ userId, episodeKey: '2026-04-02#healthkit#x', ...elsewhere }]);
  const lost = { userId, part: 'at#2026-03-01T00:00:00.000Z#r1', questionnaireId: 'q', version: '1', amendedBy: null };
  const unreadable = { ...lost, part: 'at#2026-03-02T00:00:00.000Z#r2', questionnaireId: 'phq-9', version: '1.1' };
  await putAll('QuestionnaireResponses', [lost, { ...unreadable, answers: 7 }]);
  const definition = JSON.stringify(instrument('phq-9'));
  await putAll('Questionnaires', [{ part: 'questionnaire#phq-9', name: '1.1', content: definition }]);
  const ended = '2026-02-15T00:00:00.000Z';
  await putAll('Accounts', [{ userId, part: 'account', isClosed: false, ends: [ended] }]);

  const from = { tables, environment: 'dev' } as const;
  let text = '';
  let pages = 0;
  let position: ExportPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof writeFhirFile>> = await writeFhirFile(from, person, position);
    expect(await writeFhirFile(from, person, position)).toEqual(page);
    text += page.text;
    position = page.next && JSON.parse(JSON.stringify(page.next));
    pages += 1;
  } while (position !== null && pages < 100);
  const resources: Resource[] = JSON.parse(text).entry.map(({ resource }: { resource: Resource }) => resource);
  const of = (type: string) => resources.filter(({ resourceType }) => resourceType === type);

  const agreed = records.filter(({ action }) => action === 'agreed');
  const sorted = (ids: readonly string[]) => ids.toSorted();
  expect(sorted(of('Consent').map(({ id }) => id))).toEqual(sorted(agreed.map(({ recordId }) => recordId)));
  expect(sorted(of('Provenance').map(({ id }) => id))).toEqual(sorted(records.map(({ recordId }) => recordId)));
  expect([of('Patient').length, of('Observation').length]).toEqual([1, 150]);
  // Each revocation is of the consent before it, also where a page ended between the two.
  const targets = new Map(of('Provenance').map(({ id, target }) => [id, target]));
  for (const { recordId, sequence, agreementId } of records.filter(({ action }) => action === 'revoked')) {
    expect(targets.get(recordId)).toEqual([{ reference: `Consent/${agreementId}.${sequence - 2}` }]);
  }
  // What holds was given after the account was last closed, and is the newest of its chain.
  const active = of('Consent').filter(({ status }) => status === 'active');
  expect(active.map(({ id }) => id)).toEqual(['agreement-1.69']);
  const consent = of('Consent').find(({ id }) => id === 'agreement-3.1');
  expect(consent?.provision).toMatchObject({ period: { end: ended } });
  expect(
    of('Provenance')
      .filter(({ signature }) => signature)
      .map(({ id }) => id),
  ).toEqual(['agreement-1.1']);
});
