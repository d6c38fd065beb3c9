import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { dueBundle } from '../../functions/questionnaire-responses/rules/due-bundles.ts';
import { claimOf, readClaims } from '../../functions/questionnaire-responses/stores/response-rows.ts';
import { runStore } from '../../functions/questionnaire-responses/stores/window-runs.ts';
import { readSchedule } from '../../functions/questionnaire-responses/workflows/find-occurrence.ts';
import { remind } from '../../functions/questionnaire-responses/workflows/remind.ts';
import { momentIn } from '../../functions/questionnaires/rules/local-date.ts';
import { putWindow, putWithdrawal, type WindowRow } from '../../functions/sleep/stores/window-rows.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { adding, instrument } from '../questionnaires/instruments.ts';
import { openResponses } from './open-responses.ts';

/** What is due while a patient has a sleep window, and the reminders of it. */

const granted = {
  entitlementId: 'e1',
  programmeId: 'insomnia-self-guided',
  startsAt: '2026-03-02T08:00:00.000Z',
  endsAt: '2026-05-31T08:00:00.000Z',
};
const startedOn = '2026-03-10';
const mood = 'window-mood';
const sleepiness = 'window-sleepiness';

let userId = '';
const responses = await openResponses();
beforeEach(() => {
  userId = randomUUID();
  responses.plan.entitlements = [granted];
});

const row = (sequence: number, more: object) =>
  ({
    ...{ sequence, from: startedOn, startedOn, releasedAt: `${startedOn}T20:00:00.000Z`, isWithdrawn: false },
    ...more,
  }) as unknown as WindowRow;
const release = (sequence: number, more: object = {}) => putWindow(responses.tables, userId, row(sequence, more), null);
const withdraw = (sequence: number, at: string, more: object = {}) =>
  putWithdrawal(
    responses.tables,
    userId,
    row(sequence, { isWithdrawn: true, from: at.slice(0, 10), releasedAt: at, ...more }),
    null,
  );

async function due(now: string, bundleId: string) {
  const { tables } = responses;
  const { occurrences, zone } = await readSchedule(responses.deps(userId, now));
  const claims = await readClaims(tables.QuestionnaireResponses, userId);
  return occurrences
    .filter(({ bundle }) => bundle.bundleId === bundleId)
    .map((each) =>
      dueBundle(each, new Map(), (id) => claimOf(claims, each.occurrenceId, id), momentIn(zone, new Date(now))),
    );
}
const statuses = async (now: string, bundleId: string) => (await due(now, bundleId)).map(({ status }) => status);

const ess = { questionnaireId: 'ess', bundleId: sleepiness, answers: adding(instrument('ess'), 4) };
const write = (now: string, more: object = {}) => responses.write(userId, now, { ...ess, ...more });
const listed = async () => (await responses.rows('SleepWindowRuns')).filter((row) => row.userId === userId);
const notDue = { code: 'QUESTIONNAIRE_NOT_DUE' };

describe('what is due', () => {
  test('nothing without a sleep window', async () => {
    expect(await due('2026-03-20T12:00:00Z', sleepiness)).toEqual([]);
    await expect(write('2026-03-20T12:00:00Z')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('ESS every 7 days and PHQ-9 every 14, until the entitlement ends', async () => {
    await release(1);
    const from = async (bundleId: string) =>
      (await due('2026-03-10T12:00:00Z', bundleId)).map((each) => each.window?.from);
    const ofEss = await from(sleepiness);
    expect([ofEss.length, ofEss.slice(0, 3), ofEss.at(-1)]).toEqual([
      ...[11, ['2026-03-17', '2026-03-24', '2026-03-31'], '2026-05-26'],
    ]);
    expect(await from(mood)).toEqual(['2026-03-24', '2026-04-07', '2026-04-21', '2026-05-05', '2026-05-19']);
    expect((await statuses('2026-03-24T12:00:00Z', sleepiness)).slice(0, 3)).toEqual(['missed', 'due', 'upcoming']);
  });

  test('a later window of the same run changes nothing', async () => {
    await release(1);
    const before = await due('2026-03-18T12:00:00Z', sleepiness);
    await release(2, { from: '2026-03-17' });
    expect(await due('2026-03-18T12:00:00Z', sleepiness)).toEqual(before);
    expect(await listed()).toHaveLength(1);
  });

  test('an occurrence takes one response, also of two phones; the next week takes another one', async () => {
    await release(1);
    const both = await Promise.allSettled([write('2026-03-17T12:00:00Z'), write('2026-03-17T12:00:00Z')]);
    const [refused] = both.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'QUESTIONNAIRE_ANSWERED' } });
    const [first] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await responses.complete(userId, '2026-03-17T12:00:00Z', first?.responseId ?? '');
    await expect(write('2026-03-23T12:00:00Z')).rejects.toMatchObject({ code: 'QUESTIONNAIRE_ANSWERED' });
    const next = await write('2026-03-24T12:00:00Z');
    expect(next.occurrenceId).not.toBe(first?.occurrenceId);
    expect((await statuses('2026-03-24T12:00:00Z', sleepiness)).slice(0, 2)).toEqual(['completed', 'in-progress']);
  });

  test('what a phone recorded in time is accepted after the week, and after the withdrawal', async () => {
    await release(1);
    const [inTime, late] = ['2026-03-23T20:00:00.000Z', '2026-03-26T12:00:00.000Z'];
    await withdraw(2, '2026-03-25T12:00:00.000Z');
    const row = await write(late, { recordedAt: inTime });
    expect((await responses.complete(userId, late, row.responseId, inTime)).status).toBe('completed');
    await expect(write(late)).rejects.toMatchObject(notDue);
    expect(await statuses(late, sleepiness)).toEqual(['completed', 'missed']);
  });

  test('after the end of the entitlement neither a draft nor a completion is accepted', async () => {
    await release(1);
    const { responseId } = await write('2026-03-18T12:00:00Z');
    responses.plan.entitlements = [{ ...granted, endsAt: '2026-03-18T13:00:00.000Z' }];
    const late = '2026-03-18T13:00:00.000Z';
    await expect(write(late, { questionnaireId: 'ess' })).rejects.toMatchObject(notDue);
    await expect(responses.complete(userId, late, responseId)).rejects.toMatchObject(notDue);
  });
});

describe('reminders', () => {
  const run = (now: string) => {
    const { tables, plan } = responses;
    return remind({
      ...{ tables, now: new Date(now), remainingMs: () => 60_000 },
      startedOn: async function* (programmeId, date) {
        for (const each of plan.entitlements) {
          if (each.programmeId === programmeId && each.startsAt.startsWith(date)) yield { ...each, userId };
        }
      },
      // Users of other tests have ended by now.
      entitlements: async (who) => (who === userId ? plan.entitlements : []),
      runs: runStore(tables),
    });
  };
  const bodies = async () => {
    const rows = (await responses.rows('AgentBoardMessages')).filter((row) => row.userId === userId && row.title);
    return rows
      .map(({ messageId, body }) => [String(messageId), String(body)])
      .toSorted()
      .map(([, body]) => body);
  };
  const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const noonOf = (day: number) => new Date(Date.UTC(2026, 2, day, 12)).toISOString();

  test('each occurrence once, and what is due on the same day in one message', async () => {
    await release(1);
    await Promise.all([run(noonOf(16)), run(noonOf(16))]);
    expect(await bodies()).toEqual([]);
    for (const day of days(17, 24)) {
      await Promise.all([run(noonOf(day)), run(noonOf(day))]);
      await run(noonOf(day));
    }
    expect(await bodies()).toEqual([
      'You can answer “Sleepiness by day” until 23 March 2026.',
      'You can answer “Mood in the last two weeks” until 30 March 2026.\nYou can answer “Sleepiness by day” until 30 March 2026.',
    ]);
    // The overview counts a row for each occurrence.
    const rows = (await responses.rows('QuestionnaireResponses')).filter((row) => row.userId === userId);
    expect(rows.filter(({ part }) => /^reminder#.+#start$/.test(String(part)))).toHaveLength(3);
  });

  test('at most two messages in seven days, whatever the bundles; the third waits', async () => {
    await release(1);
    // Two codes are redeemed: one on the day of the ESS, and one two days later.
    const second = {
      ...granted,
      entitlementId: 'e2',
      programmeId: 'insomnia-basic',
      startsAt: '2026-03-15T08:00:00.000Z',
    };
    responses.plan.entitlements = [granted, second];
    await run(noonOf(15));
    await run(noonOf(17));
    const third = { ...granted, entitlementId: 'e3', startsAt: '2026-03-18T08:00:00.000Z' };
    responses.plan.entitlements = [granted, second, third];
    for (const day of [18, 19, 20, 21]) await run(noonOf(day));
    expect(await bodies()).toHaveLength(2);
    await run(noonOf(22));
    expect((await bodies()).slice(2)).toEqual(['You can answer “Questionnaires at the start” until 25 March 2026.']);
  });

  test('nobody is reminded of what is answered, nor after a withdrawal', async () => {
    await release(1);
    const { responseId } = await write(noonOf(17));
    await responses.complete(userId, noonOf(17), responseId);
    await run(noonOf(18));
    await withdraw(2, noonOf(20));
    for (const day of days(20, 30)) await run(noonOf(day));
    expect(await bodies()).toEqual([]);
  });

  test('the list has a run until its window is withdrawn, or its entitlements are over', async () => {
    await release(1);
    expect(await listed()).toMatchObject([{ startedOn, month: '2026-03' }]);
    responses.plan.entitlements = [{ ...granted, endsAt: '2026-03-20T08:00:00.000Z' }];
    await run(noonOf(21));
    expect(await listed()).toHaveLength(1);
    await run(noonOf(23));
    expect(await listed()).toEqual([]);
    await release(2, { from: '2026-04-01', startedOn: '2026-04-01' });
    expect(await listed()).toMatchObject([{ startedOn: '2026-04-01' }]);
    await withdraw(3, '2026-04-02T20:00:00.000Z', { startedOn: '2026-04-01' });
    expect(await listed()).toEqual([]);
  });

  test('German, with dates as people write them', async () => {
    await release(1);
    await putRow(responses.tables.Users, { userId, locale: 'de-AT', timezone: 'Europe/Vienna' });
    await run(noonOf(17));
    expect(await bodies()).toEqual(['„Schläfrigkeit am Tag“ können Sie bis zum 23. März 2026 beantworten.']);
  });
});
