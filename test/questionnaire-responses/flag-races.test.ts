import { randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, expect, test } from 'vitest';
import { eraseQuestionnaireFlags } from '../../functions/questionnaire-responses/stores/erase-flags.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { openResponses } from './open-responses.ts';

/** A flag during an acknowledgement: another change comes between two of its steps. */

const now = '2026-03-05T12:00:00.000Z';
/** Neither is called. */
const unused = { s3: new S3Client({}), sns: new SNSClient({}), buckets: {} };

let userId = '';
const responses = await openResponses();
beforeEach(() => {
  userId = randomUUID();
});

async function flagged(): Promise<{ responseId: string; flagId: string }> {
  const { responseId } = await responses.write(userId, now, { answers: phq9(1) });
  await responses.complete(userId, now, responseId);
  const { open } = await responses.flagsOf(userId);
  return { responseId, flagId: String(open[0]?.flagId) };
}
const erase = () => eraseQuestionnaireFlags({ ...unused, tables: responses.tables }, { userId, erasedAt: now });
const rowsAbout = async () =>
  (await responses.rows('QuestionnaireFlags')).filter((row) => JSON.stringify(row).includes(userId));

test('an erasure that an acknowledgement overtakes leaves nothing', async () => {
  const { flagId } = await flagged();
  responses.plan.first = () => responses.acknowledge(flagId, now);
  await erase();
  expect(await rowsAbout()).toEqual([]);
  await erase();
});

test('an acknowledgement that an erasure overtakes finds no flag, and writes none', async () => {
  const { flagId } = await flagged();
  responses.plan.first = erase;
  expect(await responses.acknowledge(flagId, now)).toBeNull();
  expect(await rowsAbout()).toEqual([]);
});

test('a correction that an acknowledgement overtakes raises the flag again', async () => {
  const { responseId, flagId } = await flagged();
  responses.plan.first = () => responses.acknowledge(flagId, now);
  const correction = await responses.amend(userId, now, responseId, phq9(3));
  const { open } = await responses.flagsOf(userId);
  expect(open).toMatchObject([{ responseId: correction.responseId, acknowledgedAt: null }]);
  expect(open[0]?.flagId).not.toBe(flagId);
});

test('an acknowledgement that a correction overtakes acknowledges the only flag', async () => {
  const { responseId, flagId } = await flagged();
  responses.plan.first = () => responses.amend(userId, now, responseId, phq9(3));
  expect(await responses.acknowledge(flagId, now)).toMatchObject({ flagId, acknowledgedBy: 'safety' });
  expect((await responses.flagsOf(userId)).open).toEqual([]);
});

const uncleared = async () => (await rowsAbout()).filter(({ part }) => part === `open#${userId}`);

test('an outcome that an acknowledgement overtakes keeps it, and ends the flag', async () => {
  const { flagId } = await flagged();
  responses.plan.first = () => responses.acknowledge(flagId, '2026-03-05T11:00:00.000Z');
  const { flag } = await responses.end(flagId, now, 'cleared');
  expect(flag).toMatchObject({ acknowledgedAt: '2026-03-05T11:00:00.000Z', outcome: 'cleared', endedAt: now });
  expect(await uncleared()).toEqual([]);
});

test('an outcome that another one overtakes is refused, and the first stays', async () => {
  const { flagId } = await flagged();
  responses.plan.first = () => responses.end(flagId, now, 'cleared');
  expect(await responses.end(flagId, now, 'referred')).toMatchObject({ isRefused: true, flag: { outcome: 'cleared' } });
  expect(await uncleared()).toEqual([]);
});

test('cleared overtakes an acknowledgement: no row says that the flag is not cleared', async () => {
  const { flagId } = await flagged();
  responses.plan.first = () => responses.end(flagId, now, 'cleared');
  expect(await responses.acknowledge(flagId, now)).toMatchObject({ outcome: 'cleared' });
  expect(await uncleared()).toEqual([]);
});

test('a correction that a clearance overtakes raises the flag again', async () => {
  const { responseId, flagId } = await flagged();
  responses.plan.first = () => responses.end(flagId, now, 'cleared');
  await responses.amend(userId, now, responseId, phq9(3));
  expect(await uncleared()).toHaveLength(1);
});

test('a flag of somebody else is nobody’s to end', async () => {
  const { flagId } = await flagged();
  expect(await responses.end(flagId, now, 'cleared', 'another')).toEqual({ flag: null, isRefused: false });
  expect(await uncleared()).toMatchObject([{ name: flagId }]);
});

test.each(['referred', 'not-reached', 'cleared'] as const)(
  'an erasure that the outcome %s overtakes leaves nothing',
  async (outcome) => {
    const { flagId } = await flagged();
    responses.plan.first = () => responses.end(flagId, now, outcome);
    await erase();
    expect(await rowsAbout()).toEqual([]);
  },
);

test('in a chain of corrections only one flag is open at a time, however often it was acknowledged', async () => {
  let { responseId, flagId } = await flagged();
  const ids = [flagId];
  for (let round = 0; round < 3; round += 1) {
    await responses.acknowledge(flagId, now);
    // The first raises it anew, the second leaves it raised.
    for (const item9 of [2, 3]) ({ responseId } = await responses.amend(userId, now, responseId, phq9(item9)));
    const { open } = await responses.flagsOf(userId);
    expect(open).toHaveLength(1);
    flagId = String(open[0]?.flagId);
    ids.push(flagId);
  }
  expect(new Set(ids).size).toBe(4);
  await erase();
  expect(await rowsAbout()).toEqual([]);
});
