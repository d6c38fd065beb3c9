import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { runStore } from '../../functions/questionnaire-responses/stores/window-runs.ts';
import { remind } from '../../functions/questionnaire-responses/workflows/remind.ts';
import { putRow, removeRow } from '../../lib/runtime/rows.ts';
import { openResponses } from './open-responses.ts';

/** The reminder run, when a row is bad, its time is up, or it is killed. */

const now = new Date('2026-03-02T12:00:00.000Z');
const morning = '2026-03-02T08:00:00.000Z';

let people: string[] = [];
const responses = await openResponses();
beforeEach(async () => {
  people = Array.from({ length: 6 }, () => randomUUID());
  await removeRow(responses.tables.QuestionnaireResponses, { userId: '~reminders', part: 'position' });
});

type Run = {
  at?: Date;
  /** When the entitlements start. */
  from?: string;
  /** How many users the run has time for. */
  most?: number;
  /** The run is killed after so many. */
  killedAfter?: number;
  endsAt?: string;
  bad?: (userId: string) => boolean;
};

function run(how: Run = {}) {
  const { at = now, most = 100, killedAfter = 100, endsAt = '2026-05-31T08:00:00.000Z', bad = () => false } = how;
  const { from: startsAt = morning } = how;
  const { tables } = responses;
  const grantedTo = (entitlementId: string) => {
    return { entitlementId, programmeId: 'insomnia-basic', startsAt, endsAt };
  };
  let seen = 0;
  return remind({
    tables,
    now: at,
    remainingMs: () => (seen > most ? 0 : 60_000),
    startedOn: async function* (programmeId, date, after) {
      if (date !== startsAt.slice(0, 10) || programmeId !== 'insomnia-basic') return;
      const sorted = people.toSorted().filter((userId) => after === null || userId > after);
      for (const userId of sorted) {
        seen += 1;
        if (seen > killedAfter) throw new Error('killed');
        yield { userId, ...grantedTo(userId), programmeId };
      }
    },
    entitlements: async (userId) => {
      if (bad(userId)) throw new TypeError('a row that nobody can read');
      return [grantedTo(userId)];
    },
    runs: runStore(tables),
  });
}

async function remindedOf(): Promise<string[]> {
  const rows = await responses.rows('AgentBoardMessages');
  const told = rows.filter(({ title, userId }) => title !== undefined && people.includes(String(userId)));
  return told.map(({ userId }) => String(userId)).toSorted();
}

test('a bad row is counted and stops nobody else; once it is repaired, the next run reminds its user', async () => {
  const [first, , third] = people.toSorted();
  const bad = (userId: string) => userId === first || userId === third;
  const { failures, ...result } = await run({ bad });
  expect(result).toEqual({ reminded: 4, isComplete: true });
  expect(failures).toMatchObject([{ name: 'TypeError' }, { name: 'TypeError' }]);
  expect(await run()).toEqual({ reminded: 2, isComplete: true, failures: [] });
  expect(await remindedOf()).toEqual(people.toSorted());
});

test('a row with unreadable dates is bad, too', async () => {
  const { failures, isComplete } = await run({ endsAt: 'never' });
  expect([failures.length, isComplete]).toEqual([people.length, true]);
  expect(await remindedOf()).toEqual([]);
});

test('the next run continues where a run out of time ended, and each user is reminded once', async () => {
  const results = [];
  for (let left = true; left; left = !results.at(-1)?.isComplete) results.push(await run({ most: 2 }));
  expect(results.map(({ reminded, isComplete }) => [reminded, isComplete])).toEqual([
    [2, false],
    [2, false],
    [2, true],
  ]);
  expect(await remindedOf()).toEqual(people.toSorted());
  // It begins at the start again, so that users who are added later are not left out.
  people.push('0');
  expect(await run({ most: 3 })).toMatchObject({ reminded: 1, isComplete: false });
});

test('a run that is killed reminds the others when it is repeated, and nobody twice', async () => {
  await expect(run({ killedAfter: 3 })).rejects.toThrow('killed');
  expect(await run()).toMatchObject({ reminded: 3, isComplete: true });
  expect(await remindedOf()).toEqual(people.toSorted());
});

test('if a window ends with its entitlement, the user is reminded until the day before', async () => {
  const endsAt = '2026-03-06T08:00:00.000Z';
  const days = [];
  for (const day of ['02', '03', '04', '05', '06']) {
    days.push((await run({ endsAt, at: new Date(`2026-03-${day}T12:00:00.000Z`) })).reminded);
  }
  expect(days).toEqual([people.length, 0, 0, 0, 0]);
});

test('a user who began after the last run of the first day is reminded once, from nine on the next day', async () => {
  const days = [];
  // Berlin's 23:10.
  const from = '2026-03-02T22:10:00.000Z';
  for (const time of ['03T07:00', '03T08:00', '03T09:00', '04T08:00', '08T08:00']) {
    days.push((await run({ at: new Date(`2026-03-${time}:00.000Z`), from })).reminded);
  }
  expect(days).toEqual([0, people.length, 0, 0, 0]);
});

test('nobody is reminded of an ended entitlement', async () => {
  expect(await run({ endsAt: '2026-03-02T11:00:00.000Z' })).toMatchObject({ reminded: 0, failures: [] });
});

test('reminders of dates to come, which somebody planted, keep nobody from being reminded', async () => {
  const [userId = ''] = people;
  const sent = ['9999-01-01', '9999-01-02'].map((date) => ({ occurrenceId: date, at: date, date, until: date }));
  await putRow(responses.tables.QuestionnaireResponses, { userId, part: 'reminder#sent', revision: 2, sent });
  await run();
  expect(await remindedOf()).toEqual(people.toSorted());
});
