import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DueBundle, dueBundle } from '../../functions/questionnaire-responses/rules/due-bundles.ts';
import { countOpen } from '../../functions/questionnaire-responses/stores/flag-rows.ts';
import { claimOf, readClaims } from '../../functions/questionnaire-responses/stores/response-rows.ts';
import { runStore } from '../../functions/questionnaire-responses/stores/window-runs.ts';
import { completeResponse } from '../../functions/questionnaire-responses/workflows/complete-response.ts';
import { readSchedule } from '../../functions/questionnaire-responses/workflows/find-occurrence.ts';
import { remind } from '../../functions/questionnaire-responses/workflows/remind.ts';
import { writeDraft } from '../../functions/questionnaire-responses/workflows/write-draft.ts';
import { momentIn } from '../../functions/questionnaires/rules/local-date.ts';
import { seedQuestionnaires } from '../../functions/questionnaires/seed/seed.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';
import { adding, instrument, phq9 } from '../questionnaires/instruments.ts';

/** Bundles of a programme, whose entitlement is given here: windows, what is missed, and reminders. */

const names = [
  'SleepWindows',
  'SleepWindowRuns',
  'Questionnaires',
  'QuestionnaireResponses',
  'QuestionnaireFlags',
  'Users',
  'AgentBoardMessages',
  'Accounts',
  'AuditEvents',
] as const;
const entitlement = {
  entitlementId: 'e1',
  programmeId: 'insomnia-basic',
  startsAt: '2026-03-02T08:00:00.000Z',
  endsAt: '2026-05-31T08:00:00.000Z',
};

let userId = '';
let people = 0;

const { client, tables } = await localTables(names);
beforeAll(async () => {
  await seedQuestionnaires({ tables });
});
beforeEach(() => {
  people += 1;
  userId = `user-${people}`;
});

const deps = (now: string) => ({
  tables,
  userId,
  now: new Date(now),
  entitlements: async () => [entitlement],
});

async function due(now: string): Promise<DueBundle[]> {
  const { occurrences, zone } = await readSchedule(deps(now));
  const claims = await readClaims(tables.QuestionnaireResponses, userId);
  return occurrences
    .filter(({ window }) => window !== null)
    .map((each) =>
      dueBundle(each, new Map(), (id) => claimOf(claims, each.occurrenceId, id), momentIn(zone, new Date(now))),
    );
}
const statuses = async (now: string) => (await due(now)).map(({ status }) => status);

const answersOf = {
  'phq-9': phq9(),
  'gad-7': adding(instrument('gad-7'), 5),
  isi: adding(instrument('isi'), 5),
  ess: adding(instrument('ess'), 5),
};
const ofStart = ['phq-9', 'gad-7', 'isi', 'ess'] as const;

const write = (
  now: string,
  questionnaireId: keyof typeof answersOf,
  recordedAt: string | null = null,
  bundleId = 'sleep-start',
) =>
  writeDraft(deps(now), {
    responseId: `${questionnaireId}-${now.slice(0, 10)}`,
    questionnaireId,
    version: instrument(questionnaireId).version,
    bundleId,
    answers: answersOf[questionnaireId],
    recordedAt,
    ifMatch: undefined,
  });

const complete = (now: string, responseId: string, recordedAt: string | null = null) =>
  completeResponse(
    { ...deps(now), entitlement: async () => entitlement },
    { responseId, recordedAt, ifMatch: undefined },
  );

describe('windows', () => {
  test('day 0 to 7 is due and is answered; days 42 and 84 are upcoming', async () => {
    expect(await statuses('2026-03-02T12:00:00Z')).toEqual(['due', 'upcoming', 'upcoming']);
    for (const id of ofStart) {
      const { responseId } = await write('2026-03-05T12:00:00Z', id);
      expect(await statuses('2026-03-05T12:00:00Z')).toEqual(['in-progress', 'upcoming', 'upcoming']);
      await complete('2026-03-05T12:00:00Z', responseId);
    }
    expect(await statuses('2026-03-05T12:00:00Z')).toEqual(['completed', 'upcoming', 'upcoming']);
    expect(await statuses('2026-04-13T12:00:00Z')).toEqual(['completed', 'due', 'upcoming']);
    const found = await due('2026-04-13T12:00:00Z');
    expect(found.map(({ bundleId, window }) => [bundleId, window?.from, window?.to])).toEqual([
      ['sleep-start', '2026-03-02', '2026-03-09'],
      ['sleep-six-weeks', '2026-04-13', '2026-04-20'],
      ['sleep-twelve-weeks', '2026-05-25', '2026-05-31'],
    ]);
    const again = await write('2026-04-13T12:00:00Z', 'isi', null, 'sleep-six-weeks');
    expect(again.occurrenceId).toBe(found[1]?.occurrenceId);
  });

  test('an unanswered window is missed, and can no longer be answered', async () => {
    const { responseId } = await write('2026-03-09T12:00:00Z', 'phq-9');
    expect(await statuses('2026-03-10T12:00:00Z')).toEqual(['missed', 'upcoming', 'upcoming']);
    const late = '2026-03-10T12:00:00.000Z';
    await expect(write(late, 'gad-7')).rejects.toMatchObject({ code: 'QUESTIONNAIRE_NOT_DUE' });
    await expect(complete(late, responseId)).rejects.toMatchObject({ code: 'QUESTIONNAIRE_NOT_DUE' });
  });

  test('an answer that was written in time without network is accepted late', async () => {
    const [late, inTime] = ['2026-03-20T12:00:00.000Z', '2026-03-09T20:00:00.000Z'];
    const { responseId } = await write(late, 'phq-9', inTime);
    expect((await complete(late, responseId, inTime)).status).toBe('completed');
  });

  test('the last minute of the last day is in the zone of the patient', async () => {
    await putRow(tables.Users, { userId, locale: 'en-US', timezone: 'America/Los_Angeles' });
    await write('2026-03-10T06:59:00.000Z', 'phq-9');
    await expect(write('2026-03-10T07:00:00.000Z', 'gad-7')).rejects.toMatchObject({ code: 'QUESTIONNAIRE_NOT_DUE' });
  });

  test('if two phones begin at once, one of them gets the occurrence', async () => {
    const begin = (responseId: string) =>
      writeDraft(deps('2026-03-05T12:00:00Z'), {
        responseId,
        questionnaireId: 'phq-9',
        version: '1.1',
        bundleId: 'sleep-start',
        answers: [],
        recordedAt: null,
        ifMatch: undefined,
      });
    const results = await Promise.allSettled(['one', 'two', 'three', 'four'].map(begin));
    const [failed] = results.filter(({ status }) => status === 'rejected');
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(failed).toMatchObject({ reason: { code: 'QUESTIONNAIRE_ANSWERED' } });
  });
});

describe('reminders', () => {
  const run = (now: string, people = [userId]) =>
    remind({
      tables,
      now: new Date(now),
      remainingMs: () => 60_000,
      startedOn: async function* (programmeId, date) {
        const isDay = entitlement.startsAt.startsWith(date) && programmeId === entitlement.programmeId;
        for (const each of isDay ? people : []) yield { ...entitlement, userId: each };
      },
      entitlements: async () => [entitlement],
      runs: runStore(tables),
    });
  const messages = async () => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'AgentBoardMessages' }));
    return Items.filter((row) => row.userId === userId && row.title !== undefined);
  };

  test('once for each occurrence, from nine to nine', async () => {
    expect(await run('2026-03-02T07:59:00Z')).toMatchObject({ reminded: 0 });
    expect(await run('2026-03-02T20:00:00Z')).toMatchObject({ reminded: 0 });
    expect(await run('2026-03-02T08:00:00Z')).toMatchObject({ reminded: 1 });
    for (const time of ['02T09', '02T19', '05T12', '08T12', '09T12'])
      expect(await run(`2026-03-${time}:00:00Z`)).toMatchObject({ reminded: 0 });
    expect((await messages()).map(({ title, body }) => [title, body])).toEqual([
      ['Questionnaires for you', 'You can answer “Questionnaires at the start” until 9 March 2026.'],
    ]);
  });

  test('two runs at once remind once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => run('2026-03-02T12:00:00Z')));
    expect(await messages()).toHaveLength(1);
    expect(runs.map(({ reminded }) => reminded).filter((count) => count > 0)).toHaveLength(1);
  });

  test('nobody is reminded of an answered window', async () => {
    for (const id of ofStart) {
      await complete('2026-03-05T12:00:00Z', (await write('2026-03-05T12:00:00Z', id)).responseId);
    }
    expect(await run('2026-03-08T12:00:00Z')).toMatchObject({ reminded: 0 });
  });

  test('a user who asked for the deletion of the account gets no reminder', async () => {
    for (let number = 0; number < 64; number += 1) {
      const part = `guard-${String(number).padStart(2, '0')}`;
      await putRow(tables.Accounts, { userId, part });
    }
    expect(await run('2026-03-02T12:00:00Z')).toMatchObject({ reminded: 0 });
    expect(await messages()).toEqual([]);
  });
});

test('open flags are counted until they are acknowledged', async () => {
  const open = await countOpen(tables.QuestionnaireFlags);
  const draft = { ...(await write('2026-03-05T12:00:00Z', 'gad-7')) };
  await complete('2026-03-05T12:00:00Z', draft.responseId);
  expect(await countOpen(tables.QuestionnaireFlags)).toBe(open);
  const sent = { questionnaireId: 'phq-9', version: '1.1', bundleId: null, recordedAt: null, ifMatch: undefined };
  await writeDraft(deps('2026-03-05T12:00:00Z'), { ...sent, responseId: 'flagged', answers: phq9(1) });
  await complete('2026-03-05T12:00:00Z', 'flagged');
  expect(await countOpen(tables.QuestionnaireFlags)).toBe(open + 1);
});
