import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { readScoreVersions } from '../../functions/questionnaire-responses/stores/concerns.ts';
import {
  readClaims,
  readCompleted,
  readResponse,
} from '../../functions/questionnaire-responses/stores/response-rows.ts';
import { deleteDraft } from '../../functions/questionnaire-responses/workflows/write-draft.ts';
import type { Entitlement } from '../../functions/questionnaires/rules/bundle.ts';
import { latestAnswer } from '../../functions/sleep/rules/signs.ts';
import { updateRow } from '../../lib/runtime/rows.ts';
import { phq9 } from '../questionnaires/instruments.ts';
import { type OpenResponses, openResponses } from './open-responses.ts';

/** Responses of a bundle that an entitlement unlocks, when that entitlement ends or another one begins. */

const day = (date: number, time = '12:00') => `2026-03-${String(date).padStart(2, '0')}T${time}:00.000Z`;
const granted: Entitlement = {
  entitlementId: 'e1',
  programmeId: 'insomnia-basic',
  startsAt: day(2, '08:00'),
  endsAt: '2026-05-31T08:00:00.000Z',
};
const ofBundle = { bundleId: 'sleep-start' };
const notDue = { code: 'QUESTIONNAIRE_NOT_DUE' };

let userId = '';
const responses = await openResponses();
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
const read = (responseId: string) => readResponse(responses.tables.QuestionnaireResponses, { userId, responseId });

describe('an entitlement that was ended early', () => {
  test('refuses new drafts, changes and completions, and keeps the existing ones', async () => {
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

  test('the same draft again is answered unchanged, and can be deleted', async () => {
    const { responseId } = await write(day(3), { recordedAt: day(3) });
    endAt(day(3, '13:00'));
    expect(await write(day(4), { responseId, recordedAt: day(3) })).toMatchObject({ responseId, status: 'draft' });
    const deps = { tables: responses.tables, userId, now: new Date(day(4)) };
    const gone = await deleteDraft(deps, { responseId, recordedAt: null, ifMatch: undefined });
    expect(gone.isDeleted).toBe(true);
  });

  test('accepts late a draft that was recorded before its end', async () => {
    const { responseId } = await write(day(3), { recordedAt: day(3) });
    endAt(day(3, '13:00'));
    await write(day(4), { responseId, recordedAt: day(3, '12:30'), answers: phq9(2) });
    const row = await complete(day(4), responseId, day(3, '12:59'));
    expect(row).toMatchObject({ status: 'completed', flags: ['self-harm'] });
  });

  test('a completed response says when its answers arrived: with the last change of the draft, and no repetition', async () => {
    const { responseId } = await write(day(3, '09:00'), { recordedAt: day(3, '08:30') });
    const changed = { responseId, recordedAt: day(3, '08:40'), answers: phq9(1) };
    await write(day(3, '10:00'), changed);
    await write(day(3, '11:00'), changed);
    const row = await complete(day(3), responseId);
    expect(row).toMatchObject({ answersReceivedAt: day(3, '10:00'), completedAt: day(3) });
  });

  test('a completed response stays, is answered again and listed, and can be corrected', async () => {
    const { responseId } = await write(day(3));
    const done = await complete(day(3), responseId);
    endAt(day(3, '13:00'));
    expect(await complete(day(20), responseId)).toEqual(done);
    const table = responses.tables.QuestionnaireResponses;
    const { found } = await readCompleted(table, userId, {}, { limit: 10, after: null });
    expect(found.map((row) => row.responseId)).toEqual([responseId]);
    const correction = await responses.amend(userId, day(20), responseId, phq9(0, 2));
    expect(correction).toMatchObject({ amends: responseId, answersReceivedAt: day(20) });
  });

  test('accepts nothing once it no longer exists', async () => {
    const { responseId } = await write(day(3));
    responses.plan.entitlements = [];
    await expect(write(day(4), { responseId, answers: [] })).rejects.toMatchObject(notDue);
    await expect(complete(day(4), responseId)).rejects.toMatchObject(notDue);
  });

  test('does not affect bundles that are always open', async () => {
    const answers = [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' }));
    const { responseId } = await write(day(3), { bundleId: 'well-being', questionnaireId: 'who-5', answers });
    responses.plan.entitlements = [];
    await write(day(4), { responseId, bundleId: 'well-being', questionnaireId: 'who-5', answers: answers.slice(1) });
    await write(day(5), { responseId, bundleId: 'well-being', questionnaireId: 'who-5', answers });
    expect((await complete(day(5), responseId)).status).toBe('completed');
  });
});

describe('on the day on which one window ends and the next begins', () => {
  const next: Entitlement = { ...granted, entitlementId: 'e2', startsAt: day(3, '13:00') };
  const first = { ...granted, endsAt: day(3, '13:00') };

  test('a response belongs to the entitlement that was running when it was recorded, on every phone', async () => {
    responses.plan.entitlements = [next, first];
    const before = await write(day(3, '12:59'));
    expect(before.entitlementId).toBe('e1');
    const other = write(day(3, '12:59'));
    await expect(other).rejects.toMatchObject({ detail: { responseId: before.responseId } });
    const after = await write(day(3, '13:00'));
    expect(after.entitlementId).toBe('e2');
    expect(after.occurrenceId).not.toBe(before.occurrenceId);
  });

  test('a draft stays with its entitlement, even if it is sent again later', async () => {
    responses.plan.entitlements = [next, first];
    const { responseId, occurrenceId } = await write(day(3, '12:00'), { recordedAt: day(3, '12:00') });
    const again = { responseId, recordedAt: day(3, '12:30'), answers: phq9(1) };
    expect((await write(day(3, '14:00'), again)).occurrenceId).toBe(occurrenceId);
  });

  test('after the first one is completed, the next one can be answered', async () => {
    responses.plan.entitlements = [next, first];
    const { responseId } = await write(day(3, '12:00'));
    await complete(day(3, '12:00'), responseId);
    expect((await write(day(3, '12:30'))).entitlementId).toBe('e2');
    await expect(write(day(3, '12:40'))).rejects.toMatchObject({ code: 'QUESTIONNAIRE_ANSWERED' });
  });
});

describe('a window that is over', () => {
  // Berlin's 2026-03-09 is the last day of it.
  const [inTime, late] = [day(9, '22:59'), day(9, '23:00')];

  test('refuses a draft that was recorded after the window, and accepts late a draft from the window', async () => {
    const { responseId, window } = await write(day(3), { recordedAt: day(3) });
    expect(window?.to).toBe('2026-03-09');
    const before = await read(responseId);
    await expect(write(late, { responseId, answers: phq9(1) })).rejects.toMatchObject(notDue);
    expect(await read(responseId)).toEqual(before);
    const taken = await write(day(20), { responseId, recordedAt: inTime, answers: phq9(2) });
    expect(taken.recordedAt).toBe(inTime);
    expect((await complete(day(20), responseId, inTime)).status).toBe('completed');
  });

  test('is left by a draft of later: when it was completed is not before it was written', async () => {
    const { responseId } = await write(day(3));
    // As one that was taken on late.
    await updateRow(
      responses.tables.QuestionnaireResponses,
      { userId, part: `response#${responseId}` },
      { UpdateExpression: 'SET recordedAt = :late', ExpressionAttributeValues: { ':late': late } },
    );
    await expect(complete(day(20), responseId, inTime)).rejects.toMatchObject(notDue);
  });
});

test('a correction does not take an always-open occurrence from the draft that has it by then', async () => {
  const answers = [1, 2, 3, 4, 5].map((number) => ({ linkId: `who5-${number}`, choice: '3' }));
  const who5 = { bundleId: 'well-being', questionnaireId: 'who-5', answers };
  const { responseId } = await write(day(3), who5);
  await complete(day(3), responseId);
  const next = await write(day(4), who5);
  await responses.amend(userId, day(4), responseId, answers);
  const claims = await readClaims(responses.tables.QuestionnaireResponses, userId);
  expect([...claims.values()]).toMatchObject([{ responseId: next.responseId, status: 'draft' }]);
  expect((await complete(day(5), next.responseId)).status).toBe('completed');
});

describe('the latest score, and when it was answered', () => {
  const latest = async () => {
    const asked = { userId, questionnaireId: 'phq-9', scoreId: 'total' };
    const table = responses.tables.QuestionnaireResponses;
    const versions = await readScoreVersions(table, asked, () => false);
    const found = latestAnswer(versions, { counts: () => true });
    return found && { value: found.corrected.value, completedAt: found.writtenAt };
  };
  const answered = async (now: string, each: number) => {
    const { responseId } = await write(now, { bundleId: null, answers: phq9(0, each) });
    await complete(now, responseId);
    return responseId;
  };

  test('comes from the answers that were written last, in their corrected form', async () => {
    expect(await latest()).toBeNull();
    const [early, late] = [await answered(day(3), 1), await answered(day(4), 2)];
    const sixteen = { value: 16, completedAt: day(4) };
    expect(await latest()).toEqual(sixteen);
    // Of the earlier one, again and again: a page of corrections.
    let corrected = early;
    for (let time = 0; time < 22; time += 1) {
      corrected = (await responses.amend(userId, day(5, `12:${time + 10}`), corrected, phq9(0, 3))).responseId;
    }
    expect(await latest()).toEqual(sixteen);
    await responses.amend(userId, day(6), late, phq9(0, 0));
    // A correction does not make it younger.
    expect(await latest()).toEqual({ ...sixteen, value: 0 });
    // Nor does a late completion.
    const written = await write(day(2), { bundleId: null, answers: phq9(0, 3) });
    await complete(day(7), written.responseId);
    expect(await latest()).toEqual({ ...sixteen, value: 0 });
  });

  test('comes from a correction even if the clock was set back', async () => {
    const responseId = await answered(day(4), 2);
    await responses.amend(userId, day(3), responseId, phq9(0, 1));
    expect(await latest()).toEqual({ value: 8, completedAt: day(4) });
  });
});

test('a draft that arrives after its deletion is answered as deleted', async () => {
  const responseId = randomUUID();
  const deps = { tables: responses.tables, userId, now: new Date(day(4)) };
  await deleteDraft(deps, { responseId, recordedAt: day(4), ifMatch: undefined });
  const late = write(day(4), { responseId, recordedAt: day(3) });
  await expect(late).rejects.toMatchObject({ code: 'QUESTIONNAIRE_RESPONSE_DELETED' });
});
