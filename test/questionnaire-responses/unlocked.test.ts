import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readCompleted, readResponse } from '../../functions/questionnaire-responses/stores/response-rows.ts';
import { deleteDraft } from '../../functions/questionnaire-responses/workflows/write-draft.ts';
import type { Entitlement } from '../../functions/questionnaires/rules/bundle.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { type OpenResponses, openResponses } from './open-responses.ts';

/** Responses of a bundle that an entitlement unlocks, as that one ends, or another one begins. */

const day = (date: number, time = '12:00') => `2026-03-${String(date).padStart(2, '0')}T${time}:00.000Z`;
const granted: Entitlement = {
  entitlementId: 'e1',
  programmeId: 'insomnia-basic',
  startsAt: day(2, '08:00'),
  endsAt: '2026-05-31T08:00:00.000Z',
};
const ofBundle = { bundleId: 'sleep-start' };
const notDue = { code: 'QUESTIONNAIRE_NOT_DUE' };

let responses: OpenResponses;
let userId = '';
beforeAll(async () => {
  responses = await openResponses();
});
afterAll(() => responses.close());
beforeEach(() => {
  userId = randomUUID();
  responses.plan.entitlements = [granted];
});

const endAt = (endsAt: string) => {
  responses.plan.entitlements = [{ ...granted, endsAt }];
};
const write = (now: string, more: Parameters<OpenResponses['write']>[2] = {}) =>
  responses.write(userId, now, { ...ofBundle, ...more });
const complete = (now: string, responseId: string, recordedAt?: string) =>
  responses.complete(userId, now, responseId, recordedAt);
const read = (responseId: string) =>
  readResponse(responses.client, responses.tables.QuestionnaireResponses, { userId, responseId });

describe('an entitlement that was ended early', () => {
  test('takes no draft on, begins none and completes none, and leaves what is there', async () => {
    const { responseId } = await write(day(3));
    const before = await read(responseId);
    endAt(day(3, '13:00'));
    const late = day(3, '13:00');
    await expect(write(late, { responseId, answers: phq9(1) })).rejects.toMatchObject(notDue);
    await expect(write(late, { questionnaireId: 'gad-7', answers: [] })).rejects.toMatchObject(notDue);
    await expect(complete(late, responseId)).rejects.toMatchObject(notDue);
    expect(await read(responseId)).toEqual(before);
    expect((await responses.flagsOf(userId)).all).toEqual([]);
  });

  test('the same draft again is answered as it is, and can be deleted', async () => {
    const { responseId } = await write(day(3), { recordedAt: day(3) });
    endAt(day(3, '13:00'));
    expect(await write(day(4), { responseId, recordedAt: day(3) })).toMatchObject({ responseId, status: 'draft' });
    const reach = { client: responses.client, tables: responses.tables, userId, now: new Date(day(4)) };
    const gone = await deleteDraft(reach, { responseId, recordedAt: null, ifMatch: undefined });
    expect(gone.isDeleted).toBe(true);
  });

  test('takes late what was recorded before its end', async () => {
    const { responseId } = await write(day(3), { recordedAt: day(3) });
    endAt(day(3, '13:00'));
    await write(day(4), { responseId, recordedAt: day(3, '12:30'), answers: phq9(2) });
    const row = await complete(day(4), responseId, day(3, '12:59'));
    expect(row).toMatchObject({ status: 'completed', flags: ['self-harm'] });
  });

  test('a completed response stays, is answered again, is listed, and can be corrected', async () => {
    const { responseId } = await write(day(3));
    const done = await complete(day(3), responseId);
    endAt(day(3, '13:00'));
    expect(await complete(day(20), responseId)).toEqual(done);
    const table = responses.tables.QuestionnaireResponses;
    const { found } = await readCompleted(responses.client, table, userId, {}, { limit: 10, after: null });
    expect(found.map((row) => row.responseId)).toEqual([responseId]);
    expect((await responses.amend(userId, day(20), responseId, phq9(0, 2))).amends).toBe(responseId);
  });

  test('that is there no more takes nothing', async () => {
    const { responseId } = await write(day(3));
    responses.plan.entitlements = [];
    await expect(write(day(4), { responseId, answers: [] })).rejects.toMatchObject(notDue);
    await expect(complete(day(4), responseId)).rejects.toMatchObject(notDue);
  });

  test('does not keep what is always open', async () => {
    const answers = [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' }));
    const { responseId } = await write(day(3), { bundleId: 'well-being', questionnaireId: 'who-5', answers });
    responses.plan.entitlements = [];
    await write(day(4), { responseId, bundleId: 'well-being', questionnaireId: 'who-5', answers: answers.slice(1) });
    await write(day(5), { responseId, bundleId: 'well-being', questionnaireId: 'who-5', answers });
    expect((await complete(day(5), responseId)).status).toBe('completed');
  });
});

describe('on the day on which one ends and the next begins', () => {
  const next: Entitlement = { ...granted, entitlementId: 'e2', startsAt: day(3, '13:00') };
  const first = { ...granted, endsAt: day(3, '13:00') };

  test('a response is of the one that was running when it was recorded, on every phone', async () => {
    responses.plan.entitlements = [next, first];
    const before = await write(day(3, '12:59'));
    expect(before.entitlementId).toBe('e1');
    const other = write(day(3, '12:59'));
    await expect(other).rejects.toMatchObject({ detail: { responseId: before.responseId } });
    const after = await write(day(3, '13:00'));
    expect(after.entitlementId).toBe('e2');
    expect(after.occurrenceId).not.toBe(before.occurrenceId);
  });

  test('a draft stays with its own, also where it is sent again later', async () => {
    responses.plan.entitlements = [next, first];
    const { responseId, occurrenceId } = await write(day(3, '12:00'), { recordedAt: day(3, '12:00') });
    const again = { responseId, recordedAt: day(3, '12:30'), answers: phq9(1) };
    expect((await write(day(3, '14:00'), again)).occurrenceId).toBe(occurrenceId);
  });

  test('the first that is completed leaves the next one to answer', async () => {
    responses.plan.entitlements = [next, first];
    const { responseId } = await write(day(3, '12:00'));
    await complete(day(3, '12:00'), responseId);
    expect((await write(day(3, '12:30'))).entitlementId).toBe('e2');
    await expect(write(day(3, '12:40'))).rejects.toMatchObject({ code: 'QUESTIONNAIRE_ANSWERED' });
  });
});

test('a draft that its deletion has overtaken is told so', async () => {
  const responseId = randomUUID();
  const reach = { client: responses.client, tables: responses.tables, userId, now: new Date(day(4)) };
  await deleteDraft(reach, { responseId, recordedAt: day(4), ifMatch: undefined });
  const late = write(day(4), { responseId, recordedAt: day(3) });
  await expect(late).rejects.toMatchObject({ code: 'QUESTIONNAIRE_RESPONSE_DELETED' });
});
