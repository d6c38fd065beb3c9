import assert from 'node:assert/strict';
import {
  entitlements,
  questionnaires,
  type Source,
  sleepEntries,
  tickets,
  users,
} from '../../../functions/overview/rules/sources.ts';
import { seedQuestionnaires } from '../../../functions/questionnaires/seed/seed.ts';
import type { Client, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, agent, otherAdmin, otherAgent, otherPatient, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { phq9 } from '../../questionnaires/instruments.ts';

/** What the overview counts, while it changes. */

const sources: readonly (readonly [table: string, source: Source])[] = [
  ['UserDirectory', users],
  ['Entitlements', entitlements],
  ['QuestionnaireResponses', questionnaires],
  ['SleepEntries', sleepEntries],
  ['SupportTickets', tickets],
];

function counted({ rows }: End): Record<string, number> {
  const figures = rows('OverviewFigures').filter(({ generation, count }) => generation === '1' && count !== 0);
  return Object.fromEntries(figures.map(({ figure, count }) => [figure, count]).sort());
}

/** Counted anew from the rows. */
function recount({ rows }: End): Record<string, number> {
  const found = new Map<string, number>();
  for (const [table, source] of sources) {
    for (const row of rows(table)) {
      if (!source.thingOf(row)) continue;
      for (const figure of source.figuresOf(row)) found.set(figure, (found.get(figure) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...found].sort());
}

export const overviewInvariants: Scenario['invariants'] = {
  'the figures are those of a recount': (end) => assert.deepEqual(counted(end), recount(end)),
  'something was counted': (end) => assert.notDeepEqual(end.changes('OverviewFigures'), []),
};

export const night = (day: string, recordedAt: string) => ({
  params: { date: day },
  body: {
    zone: 'Europe/Berlin',
    slept: false,
    inBedAt: `${day}T00:00:00+01:00`,
    outOfBedAt: `${day}T06:00:00+01:00`,
    recordedAt,
  },
});
const noNight = (day: string) => ({ params: { date: day }, query: { recordedAt: '2026-03-01T11:30:00.000Z' } });

export const countedDiary: Scenario = {
  name: 'counted-diary',
  domain: 'overview',
  says: 'Two phones write and delete nights of a diary while the overview counts them.',
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putSleepEntry', night('2026-02-28', '2026-03-01T11:00:00.000Z'));
        await insist('deleteSleepEntry', noNight('2026-02-28'));
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putSleepEntry', night('2026-02-28', '2026-03-01T11:45:00.000Z'));
        await insist('putSleepEntry', night('2026-02-20', '2026-03-01T11:45:00.000Z'));
      },
    },
    'another phone': {
      as: otherPatient,
      does: ({ insist }) => insist('putSleepEntry', night('2026-02-28', '2026-03-01T11:45:00.000Z')),
    },
  },
  consumers: ['countSleepEntries'],
  clockMoves: [-3000, 60_000],
  invariants: { ...overviewInvariants, ...served('phone A', 'phone B', 'another phone') },
};

/** Named by the set-up. */
const made = { ticketId: '', batchId: '', codes: [] as string[] };

const ticket = (subject: string) => ({
  headers: { 'Idempotency-Key': subject },
  body: { subject, body: 'The diary does not open.' },
});
const moves = (to: string, revision: number) => ({
  params: { ticketId: made.ticketId },
  headers: { 'If-Match': `"${revision}"` },
  body: { to },
});

export const countedTickets: Scenario = {
  name: 'counted-tickets',
  domain: 'overview',
  says: 'A patient opens tickets and two agents move one while the overview counts them.',
  setUp: async ({ call, put }) => {
    await put('Users', {
      userId: patient.userId,
      application: 'sleepcare',
      username: 'p',
      email: null,
      locale: null,
      timezone: null,
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    const { body } = await call(patient, 'openTicket', ticket('first'));
    made.ticketId = String(body.ticketId);
  },
  clients: {
    'the patient': { as: patient, does: ({ insist }) => insist('openTicket', ticket('second')) },
    'an agent': {
      as: agent,
      does: async ({ insist }) => {
        await insist('transitionTicket', moves('open', 1));
        await insist('transitionTicket', moves('solved', 2));
      },
    },
    'another agent': { as: otherAgent, does: ({ insist }) => insist('transitionTicket', moves('solved', 1)) },
  },
  consumers: ['countTickets'],
  clockMoves: [60_000],
  invariants: { ...overviewInvariants, ...served('the patient') },
};

/** What was ended by a revocation ends then, and not when it was granted to. */
const endOf = ({ endsAt, endedAt }: Row): string => (endedAt !== undefined && endedAt < endsAt ? endedAt : endsAt);

const redeems =
  (index: number) =>
  async ({ insist }: Client) =>
    void (await insist('redeemAccessCode', { body: { code: made.codes[index] } }));

export const countedEntitlements: Scenario = {
  name: 'counted-entitlements',
  domain: 'overview',
  says: 'Users redeem codes while an administrator revokes the batch and ends what it unlocked; the overview counts.',
  setUp: async ({ call, settle }) => {
    const { body } = await call(admin, 'issueAccessCodes', {
      headers: { 'Idempotency-Key': 'batch' },
      body: {
        count: 2,
        kind: 'clinic',
        programmeId: 'insomnia-basic',
        grantsDays: 90,
        redeemBy: '2026-12-31T23:59:59.000Z',
      },
    });
    made.batchId = String(body.batchId);
    made.codes = (body.codes as unknown as Row[]).map(({ code }) => code);
    await settle();
  },
  clients: {
    'a user': { as: patient, does: redeems(0) },
    'another user': { as: otherPatient, does: redeems(1) },
    'an administrator': {
      as: admin,
      does: async ({ insist }) => {
        const params = { batchId: made.batchId };
        await insist('revokeAccessCodeBatch', { params, body: { endEntitlements: true } });
      },
    },
  },
  consumers: ['countEntitlements'],
  clockMoves: [60_000, 86_400_000],
  invariants: {
    'who was answered with an entitlement has it, unless it was ended': ({ calls, rows }) => {
      const own = new Set(rows('Entitlements').map(({ entitlementId }) => entitlementId));
      for (const { operation, answer } of calls) {
        if (operation === 'redeemAccessCode' && answer.status === 200) assert.ok(own.has(answer.body.entitlementId));
      }
    },
    'after the revocation was answered nothing of the batch is active': ({ calls, rows, now }) => {
      const isRevoked = calls.some(
        ({ operation, answer }) => operation === 'revokeAccessCodeBatch' && answer.status === 200,
      );
      if (!isRevoked) return;
      for (const row of rows('Entitlements')) assert.ok(Date.parse(endOf(row)) <= now, `one ends at ${endOf(row)}`);
    },
    ...served('an administrator'),
    'each entitlement is counted on its first day and on its last': (end) => {
      const days = end
        .rows('Entitlements')
        .flatMap((row) => [
          `entitlements#from#${row.startsAt.slice(0, 10)}`,
          `entitlements#until#${endOf(row).slice(0, 10)}`,
        ]);
      const expected = Object.entries(Object.groupBy(days, (day) => day)).map(([day, all = []]) => [day, all.length]);
      assert.deepEqual(counted(end), Object.fromEntries(expected.sort()));
    },
  },
};

const account = { params: { userId: patient.userId } };

/** The row, the user pool and the overview say the same of an account. */
export const countedUsers: Scenario = {
  name: 'counted-users',
  domain: 'overview',
  says: 'Two administrators disable and enable an account at the same time while the overview counts users by state.',
  setUp: async ({ put, outside, settle }) => {
    const known = {
      application: 'sleepcare',
      email: null,
      locale: null,
      timezone: null,
      createdAt: '2026-02-20T00:00:00.000Z',
    };
    for (const { userId } of [patient, otherPatient]) {
      await put('Users', { userId, username: userId, ...known });
      const user = { attributes: {}, enabled: true, groups: [], status: 'CONFIRMED', password: null, signedOut: 0 };
      outside.users[userId] = { sub: userId, ...user };
    }
    await settle();
  },
  clients: {
    'an administrator': {
      as: admin,
      does: async ({ insist }) => {
        await insist('disableUser', account);
        await insist('enableUser', account);
      },
    },
    'another administrator': { as: otherAdmin, does: ({ insist }) => insist('disableUser', account) },
  },
  consumers: ['listUsers', 'countUsers'],
  clockMoves: [60_000],
  invariants: {
    ...overviewInvariants,
    ...served('an administrator', 'another administrator'),
    'all users are listed': ({ rows }) => {
      const entries = rows('UserDirectory').filter((row) => users.thingOf(row));
      assert.equal(entries.length, 2);
    },
    'the pool is as the row says': ({ rows, outside }) => {
      const entry = rows('UserDirectory').find((row) => users.thingOf(row)?.userId === patient.userId);
      assert.equal(outside.users[patient.userId]?.enabled, entry?.status === 'active');
    },
  },
};

const response = { params: { responseId: 'response-1' } };
const draft = (others: number, recordedAt: string) => ({
  ...response,
  body: {
    questionnaireId: 'phq-9',
    version: '1.1',
    answers: phq9(0, others),
    recordedAt,
  },
});

export const countedQuestionnaires: Scenario = {
  name: 'counted-questionnaires',
  domain: 'overview',
  says: 'Two phones write, delete and complete one response while the overview counts what was completed.',
  setUp: ({ tables }) => seedQuestionnaires({ tables }),
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putQuestionnaireResponse', draft(0, '2026-03-01T11:00:00.000Z'));
        await insist('completeQuestionnaireResponse', response);
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putQuestionnaireResponse', draft(1, '2026-03-01T11:30:00.000Z'));
        await insist('deleteQuestionnaireResponse', {
          ...response,
          query: { recordedAt: '2026-03-01T11:45:00.000Z' },
        });
      },
    },
  },
  consumers: ['countQuestionnaires'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'the figures are those of a recount': (end) => assert.deepEqual(counted(end), recount(end)),
    'each draft is written, or was completed or deleted before': ({ calls }) => {
      for (const { operation, answer } of calls) {
        if (operation === 'putQuestionnaireResponse')
          assert.ok(
            [0, 200, 409, 410, 502, 503, 504].includes(answer.status),
            `${answer.status} ${JSON.stringify(answer.body)}`,
          );
      }
    },
    'a response that was answered as completed is completed for good': ({ calls, rows }) => {
      const completed = calls.some(
        ({ operation, answer }) => operation === 'completeQuestionnaireResponse' && answer.status === 200,
      );
      const row = rows('QuestionnaireResponses').find(({ part }) => part === 'response#response-1');
      if (completed) assert.ok(typeof row?.completedAt === 'string' && row.isDeleted !== true);
    },
    'a response has one completion in the lists, or none': ({ rows }) => {
      const count = (prefix: string) =>
        rows('QuestionnaireResponses').filter(({ part }) => part.startsWith(prefix)).length;
      const row = rows('QuestionnaireResponses').find(({ part }) => part === 'response#response-1');
      const isDone = typeof row?.completedAt === 'string';
      assert.deepEqual([count('at#'), count('of#')], isDone ? [1, 1] : [0, 0]);
      assert.equal(count('draft#') <= 1, true);
    },
  },
};
