import { randomUUID } from 'node:crypto';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { begunKey, requestKey } from '../../functions/evidence/rules/evidence-keys.ts';
import { watchAnswers, watchFlagRows } from '../../functions/questionnaire-responses/consumers.ts';
import { answersTampered, flagsMissing, flagsTampered } from '../../functions/questionnaire-responses/metrics.ts';
import { urgentTicketId } from '../../functions/questionnaire-responses/rules/flag.ts';
import { imageOf } from '../../functions/questionnaire-responses/rules/flag-image.ts';
import { isConfirmed } from '../../functions/questionnaire-responses/stores/confirmed.ts';
import { eraseFlag } from '../../functions/questionnaire-responses/stores/flag-rows.ts';
import { guardAnswers, guardFlag, guardListRow } from '../../functions/questionnaire-responses/stores/guarded-flags.ts';
import type { Guards } from '../../functions/questionnaire-responses/stores/guards.ts';
import { examineAnswers } from '../../functions/questionnaire-responses/workflows/examine-answers.ts';
import { accountPart, guardCount, guardKey } from '../../lib/contract/accounts.ts';
import { putRow, removeRow } from '../../lib/runtime/rows.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { type OpenResponses, openResponses } from './open-responses.ts';

/** Flags as answers and decisions say that they are, without streams: on the local DynamoDB. */

const [noon, later, evening] = ['2026-11-28T12:00:00.000Z', '2026-11-28T13:00:00.000Z', '2026-11-28T18:00:00.000Z'];
type Row = Record<string, unknown> & { part: string; name: string };

const responses = await openResponses();
let userId: string;
/** Evidence of erasures: when S3 stored which object. */
let stored: Readonly<Record<string, string>> = {};
const listed = async ({ input: { Prefix = '' } }: { input: { Prefix?: string } }) => ({
  Versions: Object.entries(stored)
    .filter(([Key]) => Key.startsWith(Prefix))
    .map(([Key, at]) => ({ Key, VersionId: 'v', LastModified: new Date(at) })),
});
const guards: Guards = {
  tables: responses.tables,
  evidence: { s3: { send: listed }, bucket: 'evidence' } as unknown as Guards['evidence'],
  graceMs: 3_600_000,
  now: () => new Date(evening),
};
beforeEach(() => {
  userId = randomUUID();
  stored = {};
});

async function flagged() {
  const draft = await responses.write(userId, noon, { answers: phq9(2) });
  const { responseId } = await responses.complete(userId, noon, draft.responseId);
  const [flag] = (await rows()).filter(({ part }) => part.startsWith('flag#'));
  return { responseId, flagId: String(flag?.flagId), hint: { userId, responseId } };
}

const rows = async () =>
  ((await responses.rows('QuestionnaireFlags')) as Row[])
    .filter((row) => JSON.stringify(row).includes(userId))
    .toSorted((one, other) => (one.part < other.part ? -1 : 1));
const put = (row: object, table: keyof OpenResponses['tables'] = 'QuestionnaireFlags') =>
  putRow(responses.tables[table], row);
const remove = ({ part, name }: Row) => removeRow(responses.tables.QuestionnaireFlags, { part, name });
async function close() {
  await put({ userId, part: accountPart, isClosed: true }, 'Accounts');
  for (let number = 0; number < guardCount; number += 1) await put(guardKey(userId, number), 'Accounts');
}
const evidence = async () => (await responses.rows('QuestionnaireEvidence')).filter((row) => row.userId === userId);

describe('a flag', () => {
  test('that is as it has to be, is left alone, whatever was decided', async () => {
    const { flagId, hint } = await flagged();
    const decide = [
      () => responses.acknowledge(flagId, later),
      () => responses.end(flagId, later, 'not-reached'),
      () => responses.end(flagId, evening, 'cleared'),
    ];
    for (const step of [async () => null, ...decide]) {
      await step();
      expect(await guardFlag(guards, flagId, { hints: [hint] })).toBeNull();
      expect(await guardAnswers(guards, hint)).toEqual([]);
    }
  });

  test.each([
    ['open', async () => undefined],
    ['acknowledged', (flagId: string) => responses.acknowledge(flagId, later)],
    ['not reached', (flagId: string) => responses.end(flagId, later, 'not-reached')],
    ['cleared', (flagId: string) => responses.end(flagId, later, 'cleared')],
  ])('%s, has all its rows again after any of them was removed, or all', async (_case, decide) => {
    const { flagId, responseId, hint } = await flagged();
    await decide(flagId);
    const before = await rows();
    for (const gone of [...before.map((row) => [row]), before]) {
      for (const row of gone) await remove(row);
      const ticketId = urgentTicketId({ responseId, flagId });
      const found = await guardFlag(guards, flagId, { hints: [hint] });
      expect(found).toEqual({ flagId, ticketId, suspicion: 'missing', isBack: true });
      expect(await rows()).toEqual(before);
    }
  });

  test.each([
    ['acknowledged by nobody', { acknowledgedAt: later, acknowledgedBy: 'nobody' }],
    [
      'cleared by nobody',
      { acknowledgedAt: later, acknowledgedBy: 'n', outcome: 'cleared', endedAt: later, endedBy: 'n' },
    ],
    ['of another time', { raisedAt: '2020-01-01T00:00:00.000Z' }],
    ['of another person', { userId: 'somebody' }],
    ['unreadable', { acknowledgedAt: 7, outcome: ['x'] }],
    ['a number that no number holds', { acknowledgedAt: NumberValue.from('100000000000000000001') }],
  ])('%s, is open again', async (_case, change) => {
    const { flagId, hint } = await flagged();
    const before = await rows();
    const own = before.find(({ part }) => part.startsWith('flag#'));
    await put({ ...own, ...change });
    expect(await guardFlag(guards, flagId, { hints: [hint] })).toMatchObject({ isBack: true });
    expect(await rows()).toEqual(before);
  });

  test('can be acknowledged and ended after it was put back', async () => {
    const { flagId, hint } = await flagged();
    const own = (await rows()).find(({ part }) => part.startsWith('flag#'));
    await put({ ...own, acknowledgedAt: later, acknowledgedBy: 'nobody' });
    await guardFlag(guards, flagId, { hints: [hint] });
    expect(await responses.acknowledge(flagId, evening)).toMatchObject({
      acknowledgedBy: 'safety',
      acknowledgedAt: evening,
    });
    expect(await guardFlag(guards, flagId, { hints: [hint] })).toBeNull();
  });

  test('of a closed account is not put back; of an account whose erasure has begun nobody is told', async () => {
    const { flagId, hint } = await flagged();
    await close();
    for (const row of await rows()) await remove(row);
    expect(await guardFlag(guards, flagId, { hints: [hint] })).toMatchObject({ suspicion: 'missing', isBack: false });
    const [request, begun] = [requestKey(userId, noon), begunKey(userId, noon)];
    const never = [
      { [begun]: later },
      { [request]: later, [begun]: later },
      { [request]: noon, [begun]: '2026-11-28T12:59:59.999Z' },
    ];
    for (const each of never) {
      stored = each;
      expect(await guardAnswers(guards, hint)).toMatchObject([{ isBack: false }]);
    }
    stored = { [request]: noon, [begun]: later };
    expect(await guardFlag(guards, flagId, { hints: [hint] })).toBeNull();
    expect(await guardAnswers(guards, hint)).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('whose answers are gone, too, comes back from the row as it was, which is kept as evidence', async () => {
    const { flagId, hint } = await flagged();
    const before = await rows();
    await removeRow(responses.tables.QuestionnaireResponses, { userId, part: `response#${hint.responseId}` });
    for (const row of before) await remove(row);
    const own = before.find(({ part }) => part.startsWith('flag#')) as Row;
    const image = Object.entries(own).map(([name, value]) => [name, value === null ? { NULL: true } : { S: value }]);
    const changes = [{ eventId: 'event', OldImage: Object.fromEntries(image) }];
    const found = await guardFlag(guards, flagId, { hints: [hint], changes });
    expect(found).toMatchObject({ suspicion: 'removed', isBack: true });
    expect(await rows()).toEqual(before);
    expect(await evidence()).toMatchObject([{ suspicion: 'removed', change: 'QuestionnaireFlags#event' }]);
  });

  const insertOf = (row: Row, eventId = 'event') => ({ eventId, NewImage: imageOf(row) });
  const isList = ({ part }: Row) => part === 'open' || part.startsWith('open#');

  test.each([
    ['acknowledged', (flagId: string) => responses.acknowledge(flagId, later)],
    ['not reached', (flagId: string) => responses.end(flagId, later, 'not-reached')],
    ['cleared', (flagId: string) => responses.end(flagId, later, 'cleared')],
  ])(
    '%s, is taken off a list that it was on before; a change that is read late takes nothing off',
    async (_case, decide) => {
      const { flagId, hint } = await flagged();
      const raised = await rows();
      await decide(flagId);
      const before = await rows();
      const changes = raised.map((row, index) => insertOf(row, `event-${index}`));
      const said = { hints: [hint], changes, lists: responses.tables.QuestionnaireFlags };
      expect(await guardFlag(guards, flagId, said)).toBeNull();
      for (const row of raised.filter(isList)) await put(row);
      const found = await guardFlag(guards, flagId, said);
      expect(found).toMatchObject({ suspicion: 'planted', isBack: true });
      expect(await rows()).toEqual(before);
      const [open] = raised.filter(({ part }) => part === 'open');
      expect((await evidence()).map(({ after }) => JSON.parse(String(after)))).toContainEqual(imageOf(open ?? {}));
    },
  );

  test('is taken off each place of a list that is not its own, however many there are', async () => {
    const { flagId, hint } = await flagged();
    const before = await rows();
    const [open] = before.filter(({ part }) => part === 'open');
    const planted = Array.from({ length: 101 }, (_, number) => ({ ...(open as Row), name: `${number}#${flagId}` }));
    for (const row of planted) await put(row);
    const changes = planted.map((row, index) => insertOf(row, `event-${index}`));
    const said = { hints: [hint], changes, lists: responses.tables.QuestionnaireFlags };
    expect(await guardFlag(guards, flagId, said)).toMatchObject({ isBack: true });
    expect(await rows()).toEqual(before);
  });

  test('of which no answers are known, stays, and people are told', async () => {
    const flagId = randomUUID();
    await put({ part: `flag#${flagId}`, name: 'flag', flagId, userId, responseId: 'none' });
    const found = await guardFlag(guards, flagId, { hints: [] });
    expect(found).toEqual({ flagId, ticketId: null, suspicion: 'without-answers', isBack: false });
    expect(await rows()).toHaveLength(1);
  });
});

describe('completed answers', () => {
  const lied = async (responseId: string) => {
    const Key = { userId, part: `response#${responseId}` };
    const [row] = (await responses.rows('QuestionnaireResponses')).filter((each) => each.part === Key.part);
    await put({ ...row, flags: [], scores: [] }, 'QuestionnaireResponses');
  };

  test('have their flag, whatever they say that they raised', async () => {
    const { responseId, hint } = await flagged();
    const before = await rows();
    for (const row of before) await remove(row);
    await lied(responseId);
    expect(await guardAnswers(guards, hint)).toMatchObject([{ suspicion: 'missing', isBack: true }]);
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['of somebody who is erased', { userId: 'erased-user' }],
    ['without a user', { userId: undefined }],
    ['of another response', { responseId: 'another' }],
    ['that has the right ids, and is cleared', { outcome: 'cleared', acknowledgedAt: later, acknowledgedBy: 'n' }],
  ])('have their flag, where somebody planted a row %s under its id', async (_case, more) => {
    const { hint } = await flagged();
    const before = await rows();
    const own = before.find(({ part }) => part.startsWith('flag#'));
    for (const row of before) await remove(row);
    const planted = Object.entries({ ...own, ...more }).filter(([, value]) => value !== undefined);
    await put(Object.fromEntries(planted));
    stored = { [requestKey('erased-user', noon)]: noon, [begunKey('erased-user', noon)]: later };
    expect(await guardAnswers(guards, hint)).toMatchObject([{ isBack: true }]);
    expect(await rows()).toEqual(before);
  });

  test('without a critical answer have none', async () => {
    const draft = await responses.write(userId, noon, { answers: phq9(0) });
    const { responseId } = await responses.complete(userId, noon, draft.responseId);
    expect(await guardAnswers(guards, { userId, responseId })).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('of a correction have a flag of their own, if somebody had acknowledged the first long before', async () => {
    const { flagId, responseId } = await flagged();
    await responses.acknowledge(flagId, later);
    const amended = await responses.amend(userId, evening, responseId, phq9(3));
    const before = await rows();
    const own = before.filter((row) => JSON.stringify(row).includes(amended.responseId));
    expect(own.length).toBeGreaterThan(0);
    const second = String(own[0]?.flagId);
    for (const row of before) if (JSON.stringify(row).includes(second)) await remove(row);
    const found = await guardAnswers(guards, { userId, responseId: amended.responseId });
    expect(found).toMatchObject([{ flagId: second, suspicion: 'missing', isBack: true }]);
    expect(await rows()).toEqual(before);
    expect(await guardAnswers(guards, { userId, responseId })).toEqual([]);
  });

  test.each([
    ['no answers', { answers: 'x' }],
    ['answers that are none', { answers: [null] }],
    ['no time', { completedAt: 'x'.repeat(2000) }],
    ['a root without end', { rootId: 'x'.repeat(2000) }],
    ['the id of another response', { responseId: 'another' }],
    ['a questionnaire that nobody knows', { questionnaireId: 'none' }],
  ])('with %s are unreadable: people are told', async (_case, change) => {
    const { responseId, hint } = await flagged();
    const Key = { userId, part: `response#${responseId}` };
    const [row] = (await responses.rows('QuestionnaireResponses')).filter((each) => each.part === Key.part);
    await put({ ...row, ...change }, 'QuestionnaireResponses');
    const found = { flagId: `of response ${responseId}`, ticketId: null, suspicion: 'unreadable', isBack: false };
    expect(await guardAnswers(guards, hint)).toEqual([found]);
  });
});

describe('what no honest function writes', () => {
  const noText = { toString: 'x', valueOf: 'x' };
  const told: string[] = [];
  const operators = { client: { send: async () => told.push('told') }, topicArn: 't', environment: 'dev' };
  const watching = () =>
    ({ ...guards, operators, log: () => undefined }) as unknown as Parameters<typeof examineAnswers>[1];

  test('decides nothing about a flag', async () => {
    const { flagId, hint } = await flagged();
    const decision = { userId, decision: `${flagId}#acknowledged`, flagId, what: 'acknowledged' };
    for (const at of [noText, 'x', '+275760-09-13T00:00Z']) {
      await put({ ...decision, at, by: 'thief' }, 'FlagDecisions');
      expect(await guardFlag(guards, flagId, { hints: [hint] })).toBeNull();
    }
  });

  test('holds up no other answers: people are told, and the flags of those behind it are found', async () => {
    const { responseId, flagId } = await flagged();
    const [row] = (await rows()).filter(({ part }) => part === `flag#${flagId}`);
    await remove(row as Row);
    const key = { userId: { S: userId }, part: { S: 'response#X' } };
    const poison = { ...key, responseId: { S: 'X' }, status: { S: 'completed' }, amendedBy: { S: 'Y' } };
    const completedAt = { M: { toString: { S: 'x' }, valueOf: { S: 'x' } } };
    const own = { userId: { S: userId }, part: { S: `response#${responseId}` }, status: { S: 'completed' } };
    const records = [
      { eventID: '1', dynamodb: { Keys: key, NewImage: { ...poison, completedAt } } },
      { eventID: '2', dynamodb: { Keys: own, NewImage: { ...own, responseId: { S: responseId } } } },
    ];
    told.length = 0;
    const missing = await examineAnswers(records as never, watching());
    expect(missing).toContainEqual(expect.objectContaining({ flagId, isBack: true }));
    expect(told).not.toEqual([]);
  });

  test.each(['completedAt', 'answersReceivedAt', 'recordedAt'])(
    '%s is of a time to come: people are told',
    async (name) => {
      const { responseId } = await flagged();
      const key = { userId: { S: userId }, part: { S: `response#${responseId}` } };
      const said = { completedAt: { S: evening }, answersReceivedAt: { S: noon }, recordedAt: { S: noon } };
      const NewImage = { ...key, responseId: { S: responseId }, status: { S: 'completed' }, ...said };
      const examined = async (image: object, isDated: boolean) => {
        told.length = 0;
        const at = { ApproximateCreationDateTime: Date.parse(evening) / 1000, Keys: key };
        const records = [{ eventID: '1', dynamodb: { ...at, NewImage: image } }];
        await examineAnswers(records as never, { ...watching(), isDated });
        return told.length > 0;
      };
      const postdated = { ...NewImage, [name]: { S: '2099-01-01T00:00:00.000Z' } };
      expect(await examined({ ...postdated, amendedBy: { S: responseId } }, true)).toBe(true);
      expect(await examined(NewImage, true)).toBe(false);
      expect(await examined(postdated, true)).toBe(true);
      // A clock that was set says nothing.
      expect(await examined(postdated, false)).toBe(false);
    },
  );

  test('has no flag of another person erased', async () => {
    const { flagId } = await flagged();
    const before = await rows();
    const other = randomUUID();
    await put({ part: `user#${other}`, name: flagId });
    await eraseFlag(responses.tables, { userId: other, flagId });
    expect(await rows()).toEqual(before);
    expect((await responses.rows('QuestionnaireFlags')).filter(({ part }) => part === `user#${other}`)).toEqual([]);
  });

  test.each<[string, object]>([
    ['a number that no number holds', { acknowledgedAt: NumberValue.from('100000000000000000001') }],
    ['no outcome', { outcome: undefined }],
    ['a time that is longer than a key', { raisedAt: 't'.repeat(2000) }],
  ])('with %s, which nobody writes, holds up no erasure', async (_case, wrong) => {
    const { flagId } = await flagged();
    const own = (await rows()).find(({ part }) => part.startsWith('flag#'));
    await put({ ...own, ...wrong });
    await eraseFlag(responses.tables, { userId, flagId });
    // A row of a list that the flag does not name is told by the comparison.
    expect((await rows()).filter(({ part }) => part !== 'open')).toEqual([]);
  });
});

test('a row without a flag on the list of a person whose erasure has begun is taken off, and leaves no evidence', async () => {
  stored = { [requestKey(userId, noon)]: noon, [begunKey(userId, noon)]: later };
  const row = { part: `open#${userId}`, name: randomUUID() };
  await put(row);
  const { tables } = responses;
  expect(await guardListRow({ ...guards, tables }, row)).toMatchObject({ flagId: row.name, suspicion: 'planted' });
  expect([await rows(), await evidence()]).toEqual([[], []]);
  // Nobody is told of what an erasure has taken since it was read.
  expect(await guardListRow({ ...guards, tables }, row)).toBeNull();
});

test('completed answers are confirmed by each other, and nothing that was planted is', async () => {
  const { responseId } = await flagged();
  const one = await responses.amend(userId, later, responseId, phq9(1));
  await responses.amend(userId, evening, one.responseId, phq9(0));
  const all = (await responses.rows('QuestionnaireResponses')).filter(
    (row) => row.userId === userId && row.status === 'completed',
  );
  expect(all).toHaveLength(9);
  for (const row of all) expect(await isConfirmed(guards, null, row)).toBe(true);
  const [first, other] = [responseId, one.responseId].map((id) => all.find((row) => row.part === `response#${id}`));
  const planted = [
    { ...first, amendedBy: 'nobody' },
    { ...first, amendedBy: responseId },
    { ...first, corrected: { ...first?.corrected, scores: [] } },
    { ...first, corrected: { responseId: 'nobody', scores: null } },
    { ...first, corrected: null },
    { ...first, corrected: 7 },
    { ...first, answers: [] },
    { ...first, part: all.find(({ part }) => part.startsWith('of#'))?.part, status: undefined },
    { ...first, part: `at#${noon}#${randomUUID()}` },
    { ...first, responseId: other?.responseId },
    { ...first, userId: randomUUID() },
    { status: 'completed', part: 'at#' },
  ];
  for (const row of planted) expect([row, await isConfirmed(guards, null, row)]).toEqual([row, false]);
  // The first correction was named; now the second one is, and nobody goes back.
  const named = (id: string | undefined) => ({ ...first, corrected: { responseId: id, scores: other?.scores } });
  const [now, earlier] = [first?.corrected?.responseId, one.responseId].map(named);
  expect(await isConfirmed(guards, earlier ?? {}, first ?? {})).toBe(true);
  expect(await isConfirmed(guards, { ...first, corrected: undefined }, earlier ?? {})).toBe(true);
  expect(await isConfirmed(guards, now ?? {}, earlier ?? {})).toBe(false);
});

test('each count of the watchers has its alarm', () => {
  expect(Object.keys(watchFlagRows.sounds)).toEqual([flagsTampered]);
  expect(Object.keys(watchAnswers.sounds)).toEqual([flagsMissing, answersTampered]);
});
