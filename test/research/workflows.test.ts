import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ConsentState } from '../../functions/access/consent-states.ts';
import { agreementKey } from '../../functions/agreements/rules.ts';
import { appendRecords, readState } from '../../functions/consents/exports.ts';
import { nextRecord } from '../../functions/consents/rules/record.ts';
import { countRows } from '../../functions/groups/rules.ts';
import { studyMoved } from '../../functions/research/audit-actions.ts';
import { eraseEnrolments, readEnrolments, readStudy, readStudyKey } from '../../functions/research/exports.ts';
import type { Enrolment } from '../../functions/research/rules/enrolment.ts';
import { pseudonymOf } from '../../functions/research/rules/pseudonym.ts';
import type { Study, StudyState } from '../../functions/research/rules/study.ts';
import { codeIdOf } from '../../functions/research/stores/codes.ts';
import { countParticipants, putNewStudy, readStudies } from '../../functions/research/stores/studies.ts';
import { putStudyKey } from '../../functions/research/stores/study-keys.ts';
import { changeStudy } from '../../functions/research/workflows/change-study.ts';
import { joinStudy } from '../../functions/research/workflows/enrol.ts';
import { endByRevocation, leaveStudy } from '../../functions/research/workflows/leave.ts';
import { invite, renewCode } from '../../functions/research/workflows/make-codes.ts';
import { createStudy } from '../../functions/research/workflows/make-study.ts';
import { transact } from '../../lib/runtime/commit.ts';
import { localTables } from '../local-tables.ts';
import { definition } from './study.ts';

/** What many requests at once, and a crash between two, make of studies: on the local DynamoDB. */

const names = [
  'Studies',
  'StudyCodes',
  'StudyKeys',
  'Enrolments',
  'UserEnrolments',
  'ConsentRecords',
  'ConsentStates',
  'AuditEvents',
  'IdempotencyKeys',
  'Agreements',
] as const;
const now = new Date('2026-06-01T12:00:00.000Z');
const secret = ['secret of this test'] as const;
const atOnce = { pause: () => setImmediate() };
const agreementId = definition.agreementId;

/** Done before the next transaction is sent. */
let first: (() => Promise<unknown>) | undefined;

const { client: dynamo, tables } = await localTables(names, { maxAttempts: 1 });
beforeAll(async () => {
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      const act = context.commandName === 'TransactWriteItemsCommand' ? first : undefined;
      if (act) first = undefined;
      await act?.();
      return next(args);
    },
    { step: 'initialize' },
  );
});

const by = () => ({ application: 'medinfo', actor: 'researcher', requestId: randomUUID(), realNow: now });
const occasion = () => ({ ...by(), once: null, now });
const place = () => ({ tables, secret });

/** A study in that state, and its code. */
async function newStudy(state: StudyState = 'recruiting') {
  const studyId = randomUUID();
  const study: Study = {
    ...definition,
    studyId,
    state,
    codeId: null,
    createdAt: now.toISOString(),
    revision: 1,
    changeId: 'r',
  };
  await transact([...putNewStudy(tables.Studies, study), putStudyKey(tables.StudyKeys, studyId)]);
  return { studyId, code: await newCode(studyId) };
}

async function newCode(studyId: string): Promise<string> {
  const made = await renewCode(place(), studyId, occasion());
  if (!('code' in made)) throw new Error(made.refused);
  return made.code;
}

async function invitationTo(studyId: string, group: string | null = null): Promise<string> {
  const made = await invite(place(), { studyId, count: 1, group }, occasion());
  if (!('invitations' in made)) throw new Error(made.refused);
  return made.invitations[0]?.code ?? '';
}

async function record(userId: string, action: 'agreed' | 'revoked'): Promise<ConsentState> {
  const state = await readState(tables.ConsentStates, { userId, agreementId });
  const change = {
    action,
    versionId: 'v',
    contentHash: 'h',
    locale: 'en',
    localeSource: 'stated',
    appVersion: null,
  } as const;
  const next = nextRecord(state, change, { userId, agreementId, now, recordId: randomUUID(), requestId: 'r' });
  if (!(await appendRecords(tables, [next], randomUUID(), new Map(state ? [[agreementId, state]] : []))))
    throw new Error('contended');
  return next;
}

/** Somebody who has consented. */
async function participant() {
  const userId = randomUUID();
  await record(userId, 'agreed');
  return userId;
}

const join = (userId: string, code: string, ends: readonly string[] = []) =>
  joinStudy(tables, { userId, codeIds: [codeIdOf(secret, code)], ends, now }, atOnce);
const kindOf = async (joining: ReturnType<typeof join>) => (await joining).kind;
const leave = (userId: string, studyId: string, keepExported: boolean | null = null) =>
  leaveStudy(tables, { userId, studyId, keepExported, ends: [], now, requestId: 'r' }, atOnce);
const count = (studyId: string) => countParticipants(tables.Studies, studyId);
const move = (studyId: string, to: StudyState) => changeStudyAsItIs(studyId, (before) => ({ ...before, state: to }));

async function changeStudyAsItIs(studyId: string, next: (before: Study) => Study) {
  const { revision } = (await readStudy(tables.Studies, studyId)) ?? { revision: 0 };
  return changeStudy(tables, { studyId, ifMatch: `"${revision}"`, action: studyMoved, next }, by());
}

async function enrolmentsIn(studyId: string): Promise<Enrolment[]> {
  const { enrolments } = await readEnrolments(tables.Enrolments, studyId, { limit: 100, after: null });
  return enrolments;
}

/** Both tables say the same, and the counter shards count whoever takes part. */
async function expectConsistent(studyId: string) {
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'UserEnrolments', ConsistentRead: true }));
  const byUser = (Items as Enrolment[]).filter((row) => row.studyId === studyId);
  const rows = await enrolmentsIn(studyId);
  const order = (one: Enrolment, other: Enrolment) => (one.userId < other.userId ? -1 : 1);
  expect(byUser.toSorted(order)).toEqual(rows.toSorted(order));
  expect(await count(studyId)).toBe(rows.filter(({ leftAt }) => leftAt === null).length);
}

describe('one invitation', () => {
  test('of ten people at once only one can join with it', async () => {
    const { studyId } = await newStudy();
    const invitation = await invitationTo(studyId, 'late');
    const people = await Promise.all(Array.from({ length: 10 }, participant));
    const kinds = await Promise.all(people.map((userId) => kindOf(join(userId, invitation))));
    expect(kinds.toSorted()).toEqual(['done', ...Array.from({ length: 9 }, () => 'used')]);
    expect(await enrolmentsIn(studyId)).toEqual([expect.objectContaining({ group: 'late' })]);
    await expectConsistent(studyId);
  });

  test('a double click is one enrolment, and the same answer', async () => {
    const { studyId } = await newStudy();
    const [invitation, userId] = [await invitationTo(studyId), await participant()];
    const answers = await Promise.all([join(userId, invitation), join(userId, invitation), join(userId, invitation)]);
    const [one] = answers;
    for (const answer of answers) expect(answer).toEqual(one);
    expect(one).toMatchObject({ kind: 'done', enrolment: { revision: 1 } });
    await expectConsistent(studyId);
  });

  test('its user can join again with it, and nobody else; an erasure does not make it unused', async () => {
    const { studyId } = await newStudy();
    const [invitation, userId] = [await invitationTo(studyId), await participant()];
    await join(userId, invitation);
    await leave(userId, studyId);
    await record(userId, 'agreed');
    expect(await kindOf(join(await participant(), invitation))).toBe('used');
    expect(await kindOf(join(userId, invitation))).toBe('done');
    await eraseEnrolments({ tables } as never, { userId, erasedAt: now.toISOString() });
    expect(await kindOf(join(await participant(), invitation))).toBe('used');
    expect(await kindOf(join(userId, invitation))).toBe('used');
    await expectConsistent(studyId);
  });
});

test('who has left by a planted row takes part still, and can leave', async () => {
  const { studyId, code } = await newStudy();
  const userId = await participant();
  await join(userId, code);
  const [enrolment] = await enrolmentsIn(studyId);
  await dynamo.send(
    new PutCommand({ TableName: 'UserEnrolments', Item: { ...enrolment, leftAt: '2026-01-01T00:00:00.000Z' } }),
  );
  const { leftAt } = (await leave(userId, studyId)) ?? {};
  expect(await readState(tables.ConsentStates, { userId, agreementId })).toMatchObject({
    action: 'revoked',
    recordedAt: leftAt,
  });
  await expectConsistent(studyId);
});

test('a revocation ends a participation whose user’s row says that it rests on a later consent', async () => {
  const { studyId, code } = await newStudy();
  const userId = await participant();
  await join(userId, code);
  const [enrolment] = await enrolmentsIn(studyId);
  const planted = { ...enrolment, consentSequence: 1_000_000, agreementId: 'another' };
  await dynamo.send(new PutCommand({ TableName: 'UserEnrolments', Item: planted }));
  const { sequence, recordedAt } = await record(userId, 'revoked');
  expect(await endByRevocation(tables, { userId, agreementId, sequence, recordedAt }, atOnce)).toBe(1);
  expect(await enrolmentsIn(studyId)).toMatchObject([{ leftAt: recordedAt }]);
  await expectConsistent(studyId);
});

test.each([
  ['of no record', { consentSequence: 1_000_000 }],
  ['and a time that are of no record', { consentSequence: 1_000_000, consentRecordedAt: '2026-01-01T00:00:00.000Z' }],
  ['and a time that is none', { consentSequence: 1_000_000, consentRecordedAt: 7 }],
])('a revocation ends a participation whose row has a number %s', async (_case, planted) => {
  const { studyId, code } = await newStudy();
  const userId = await participant();
  await join(userId, code);
  const [enrolment] = await enrolmentsIn(studyId);
  await dynamo.send(new PutCommand({ TableName: 'Enrolments', Item: { ...enrolment, ...planted } }));
  const { sequence, recordedAt } = await record(userId, 'revoked');
  expect(await endByRevocation(tables, { userId, agreementId, sequence, recordedAt }, atOnce)).toBe(1);
  expect(await enrolmentsIn(studyId)).toMatchObject([{ leftAt: recordedAt }]);
});

test.each([
  [
    'a revocation',
    expect.any(String),
    async (userId: string) => {
      const { sequence, recordedAt } = await record(userId, 'revoked');
      return endByRevocation(tables, { userId, agreementId, sequence, recordedAt }, atOnce);
    },
  ],
  ['leaving', expect.any(String), (userId: string, studyId: string) => leave(userId, studyId)],
  [
    'an erasure',
    undefined,
    (userId: string) => eraseEnrolments({ tables } as never, { userId, erasedAt: now.toISOString() }),
  ],
])('%s ends a participation, also where the number of participants is none', async (_what, left, end) => {
  const { studyId, code } = await newStudy();
  const userId = await participant();
  await join(userId, code);
  const many = { UpdateExpression: 'SET participants = :many', ExpressionAttributeValues: { ':many': 'many' } };
  for (let counterShard = 0; counterShard < countRows; counterShard += 1) {
    const Key = { kind: `door#${studyId}`, studyKey: String(counterShard).padStart(2, '0') };
    await dynamo.send(new UpdateCommand({ TableName: 'Studies', Key, ...many }));
  }
  await end(userId, studyId);
  const [enrolment] = await enrolmentsIn(studyId);
  expect(enrolment?.leftAt).toEqual(left);
});

test('who leaves a study leaves it, also beside a row of a study that is not there', async () => {
  const { studyId, code } = await newStudy();
  const userId = await participant();
  await join(userId, code);
  const [enrolment] = await enrolmentsIn(studyId);
  const Item = { ...enrolment, studyId: randomUUID() };
  for (const TableName of ['Enrolments', 'UserEnrolments']) await dynamo.send(new PutCommand({ TableName, Item }));
  await leave(userId, studyId);
  expect((await enrolmentsIn(studyId)).map(({ leftAt }) => leftAt)).toEqual([expect.any(String)]);
  expect((await enrolmentsIn(Item.studyId)).map(({ leftAt }) => leftAt)).toEqual([expect.any(String)]);
});

test('a number that grew without its study is no study, and hides none', async () => {
  const { studyId } = await newStudy();
  const Key = { kind: 'study', studyKey: 'nobody' };
  const grow = { UpdateExpression: 'ADD participants :by', ExpressionAttributeValues: { ':by': 1 } };
  await dynamo.send(new UpdateCommand({ TableName: 'Studies', Key, ...grow }));
  const { studies } = await readStudies(tables.Studies, { limit: 100, after: null });
  expect(studies.map((study) => study.studyId)).toContain(studyId);
  expect(studies.filter((study) => study.studyId === undefined)).toEqual([]);
});

test('a study that is created twice under one key has one key for its pseudonyms', async () => {
  const agreement = { application: 'sleepcare', agreementId, isRequired: false };
  await dynamo.send(
    new PutCommand({ TableName: 'Agreements', Item: { ...agreement, catalogueKey: agreementKey(agreementId) } }),
  );
  const once = { keyId: randomUUID(), fingerprint: 'f', realNow: now };
  const create = () => createStudy(tables, { ...definition, now }, { ...by(), once });
  const made = await Promise.all([create(), create()]);
  const ids = new Set(made.map((study) => study?.studyId));
  expect(ids.size).toBe(1);
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'StudyKeys', ConsistentRead: true }));
  const keys = Items.filter(({ studyId }) => ids.has(studyId));
  expect(keys).toEqual([{ studyId: made[0]?.studyId, secret: expect.objectContaining({ length: 32 }) }]);
});

describe('the code of a study', () => {
  test('many can join at once, each once, and none of them touches the key', async () => {
    const { studyId, code } = await newStudy();
    const key = await readStudyKey(tables.StudyKeys, studyId);
    const people = await Promise.all(Array.from({ length: 12 }, participant));
    const answers = await Promise.all(people.map((userId) => join(userId, code)));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['done']));
    expect(await count(studyId)).toBe(12);
    expect(await readStudyKey(tables.StudyKeys, studyId)).toEqual(key);
    await expectConsistent(studyId);
  });

  test('nobody can join with a code that was replaced between the read and the write', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    first = () => newCode(studyId);
    expect(await kindOf(join(userId, code))).toBe('unknown');
    expect(await enrolmentsIn(studyId)).toEqual([]);
  });

  test('after two renewals at once the code of the later one is valid', async () => {
    const { studyId } = await newStudy();
    const codes = await Promise.all([newCode(studyId), newCode(studyId), newCode(studyId)]);
    const kinds: string[] = [];
    for (const code of codes) kinds.push(await kindOf(join(await participant(), code)));
    expect(kinds.toSorted()).toEqual(['done', 'unknown', 'unknown']);
  });

  test.each<StudyState>(['closed', 'archived'])('%s: neither a code nor an invitation is made', async (state) => {
    const { studyId, code } = await newStudy();
    await changeStudyAsItIs(studyId, (before) => ({ ...before, state }));
    expect(await renewCode(place(), studyId, occasion())).toEqual({ refused: 'not-recruiting' });
    expect(await invite(place(), { studyId, count: 2, group: null }, occasion())).toEqual({
      refused: 'not-recruiting',
    });
    expect(await kindOf(join(await participant(), code))).toBe('not-recruiting');
  });

  test('after a lost answer the same key gives the same code, and only that key', async () => {
    const { studyId } = await newStudy();
    const once = { keyId: randomUUID(), fingerprint: 'f', realNow: now };
    const one = await renewCode(place(), studyId, { ...occasion(), once });
    expect(await renewCode(place(), studyId, { ...occasion(), once })).toEqual(one);
    const invited = { keyId: randomUUID(), fingerprint: 'f', realNow: now };
    const asked = { studyId, count: 3, group: 'early' };
    const codes = await invite(place(), asked, { ...occasion(), once: invited });
    expect(await invite(place(), asked, { ...occasion(), once: invited })).toEqual(codes);
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'IdempotencyKeys' }));
    const plain = 'code' in one ? one.code : 'none';
    expect(JSON.stringify(Items)).not.toContain(plain);
  });
});

describe('between the read and the write', () => {
  test('the study closes: nobody joins', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    first = () => move(studyId, 'closed');
    expect(await kindOf(join(userId, code))).toBe('not-recruiting');
    await expectConsistent(studyId);
  });

  test('the study is archived: an invitation does not work, and is not used up', async () => {
    const { studyId } = await newStudy();
    const [invitation, userId] = [await invitationTo(studyId), await participant()];
    first = () => move(studyId, 'archived');
    expect(await kindOf(join(userId, invitation))).toBe('not-recruiting');
    await move(studyId, 'recruiting');
    expect(await kindOf(join(userId, invitation))).toBe('done');
  });

  test('the consent is revoked: nobody joins, and the invitation is not used up', async () => {
    const { studyId } = await newStudy();
    const [invitation, userId] = [await invitationTo(studyId), await participant()];
    first = () => record(userId, 'revoked');
    expect(await kindOf(join(userId, invitation))).toBe('consent-missing');
    expect(await enrolmentsIn(studyId)).toEqual([]);
    expect(await kindOf(join(await participant(), invitation))).toBe('done');
  });

  test('the consent is revoked and given again: the enrolment names the new record', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    first = async () => {
      await record(userId, 'revoked');
      await record(userId, 'agreed');
    };
    expect(await join(userId, code)).toMatchObject({ kind: 'done', enrolment: { consentSequence: 3 } });
    await endByRevocation(tables, { userId, agreementId, sequence: 2, recordedAt: now.toISOString() });
    expect(await count(studyId)).toBe(1);
  });

  test('a user leaves and joins at once: the last request decides completely', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    first = () => kindOf(join(userId, code));
    expect(await leave(userId, studyId)).toMatchObject({ leftAt: expect.any(String) });
    expect(await readState(tables.ConsentStates, { userId, agreementId })).toMatchObject({ action: 'revoked' });
    await expectConsistent(studyId);
  });
});

describe('leaving', () => {
  test('many requests to leave and join at once: a user takes part exactly if the user consents', async () => {
    const { studyId, code } = await newStudy();
    for (let round = 0; round < 10; round += 1) {
      const userId = await participant();
      await join(userId, code);
      await Promise.all([join(userId, code), leave(userId, studyId), join(userId, code)]);
      const state = await readState(tables.ConsentStates, { userId, agreementId });
      const row = (await enrolmentsIn(studyId)).find((each) => each.userId === userId);
      expect([state?.action, row?.leftAt === null]).toEqual(['revoked', false]);
    }
    expect(await count(studyId)).toBe(0);
    await expectConsistent(studyId);
  });

  test('twice at once: one record, one time, and one participant less', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    const answers = await Promise.all([leave(userId, studyId), leave(userId, studyId), leave(userId, studyId)]);
    expect(new Set(answers.map((answer) => answer?.leftAt)).size).toBe(1);
    expect(await readState(tables.ConsentStates, { userId, agreementId })).toMatchObject({ sequence: 2 });
    await expectConsistent(studyId);
  });

  test('who takes part has made no choice, whatever a row says', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    const keeps = { UpdateExpression: 'SET keepExported = :yes', ExpressionAttributeValues: { ':yes': true } };
    await dynamo.send(new UpdateCommand({ TableName: 'UserEnrolments', Key: { userId, studyId }, ...keeps }));
    expect(await leave(userId, studyId)).toMatchObject({ keepExported: false });
    expect(await enrolmentsIn(studyId)).toEqual([expect.objectContaining({ keepExported: false })]);
  });

  test('the choice is stored, and can be sent again, which revokes nothing', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    const one = await leave(userId, studyId, true);
    expect(one).toMatchObject({ keepExported: true });
    await record(userId, 'agreed');
    expect(await leave(userId, studyId)).toMatchObject({ keepExported: true, leftAt: one?.leftAt });
    expect(await leave(userId, studyId, false)).toMatchObject({ keepExported: false, leftAt: one?.leftAt });
    expect(await readState(tables.ConsentStates, { userId, agreementId })).toMatchObject({ action: 'agreed' });
    await expectConsistent(studyId);
  });

  test('ends all enrolments with the same consent; the choice is only about the named study', async () => {
    const [one, other] = [await newStudy(), await newStudy()];
    const userId = await participant();
    await join(userId, one.code);
    await join(userId, other.code);
    await leave(userId, one.studyId, true);
    expect(await enrolmentsIn(one.studyId)).toEqual([expect.objectContaining({ keepExported: true })]);
    expect(await enrolmentsIn(other.studyId)).toEqual([
      expect.objectContaining({ keepExported: false, leftAt: expect.any(String) }),
    ]);
    await expectConsistent(one.studyId);
    await expectConsistent(other.studyId);
  });

  test.each<StudyState>(['closed', 'archived'])('is possible in a study that is %s', async (state) => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    await move(studyId, state);
    expect(await leave(userId, studyId)).toMatchObject({ leftAt: expect.any(String) });
    await expectConsistent(studyId);
  });

  test('after a revocation by another route the row changes, too, and no second record is written', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    const { recordedAt } = await record(userId, 'revoked');
    expect(await leave(userId, studyId, true)).toMatchObject({ leftAt: recordedAt, keepExported: true });
    expect(await readState(tables.ConsentStates, { userId, agreementId })).toMatchObject({ sequence: 2 });
    await expectConsistent(studyId);
  });

  test('a study that the caller never joined, and one that does not exist', async () => {
    const { studyId } = await newStudy();
    expect(await leave(await participant(), studyId)).toBeNull();
    expect(await leave(await participant(), randomUUID())).toBeNull();
  });
});

describe('a revocation by the ordinary route', () => {
  test('ends the enrolment once, even if its event comes several times and late', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    const { sequence, recordedAt } = await record(userId, 'revoked');
    const hear = () => endByRevocation(tables, { userId, agreementId, sequence, recordedAt }, atOnce);
    expect((await Promise.all([hear(), hear(), hear()])).toSorted()).toEqual([0, 0, 1]);
    expect(await enrolmentsIn(studyId)).toEqual([expect.objectContaining({ leftAt: recordedAt, keepExported: false })]);
    await record(userId, 'agreed');
    await join(userId, code);
    expect(await hear()).toBe(0);
    expect(await count(studyId)).toBe(1);
    await expectConsistent(studyId);
  });

  test('a message that the ledger does not confirm ends nothing', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    await record(userId, 'revoked');
    const { recordedAt } = await record(userId, 'agreed');
    await join(userId, code);
    for (const forged of [{ recordedAt: now.toISOString() }, { recordedAt }, { recordedAt, sequence: 3 }])
      expect(await endByRevocation(tables, { userId, agreementId, sequence: 999, ...forged }, atOnce)).toBe(0);
    expect(await count(studyId)).toBe(1);
  });

  test('a revocation of another agreement ends nothing', async () => {
    const { studyId, code } = await newStudy();
    const userId = await participant();
    await join(userId, code);
    const other = { userId, agreementId: 'marketing', sequence: 9, recordedAt: now.toISOString() };
    expect(await endByRevocation(tables, other)).toBe(0);
    expect(await count(studyId)).toBe(1);
  });
});

describe('two studies', () => {
  test('have two pseudonyms of one person, and no row has either', async () => {
    const [one, other] = [await newStudy(), await newStudy()];
    const userId = await participant();
    await join(userId, one.code);
    await join(userId, other.code);
    const pseudonyms = await Promise.all(
      [one, other].map(async ({ studyId }) =>
        pseudonymOf((await readStudyKey(tables.StudyKeys, studyId)) ?? new Uint8Array(), userId),
      ),
    );
    expect(new Set(pseudonyms).size).toBe(2);
    for (const TableName of Object.keys(tables)) {
      const { Items = [] } = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }));
      for (const pseudonym of pseudonyms) expect(JSON.stringify(Items)).not.toContain(pseudonym);
    }
  });
});

test('an erasure removes every enrolment from both tables and from the number; a second one changes nothing', async () => {
  const [one, other] = [await newStudy(), await newStudy()];
  const [userId, somebodyElse] = [await participant(), await participant()];
  await join(userId, one.code);
  await join(userId, other.code);
  await join(somebodyElse, one.code);
  await leave(userId, other.studyId);
  for (const _time of [1, 2]) await eraseEnrolments({ tables } as never, { userId, erasedAt: now.toISOString() });
  expect(await enrolmentsIn(other.studyId)).toEqual([]);
  expect(await enrolmentsIn(one.studyId)).toEqual([expect.objectContaining({ userId: somebodyElse })]);
  await expectConsistent(one.studyId);
  await expectConsistent(other.studyId);
});

test('of two changes of a study at once one is refused', async () => {
  const { studyId } = await newStudy('draft');
  const changes = ['A', 'B'].map((title) => changeStudyAsItIs(studyId, (before) => ({ ...before, title })));
  const outcomes = await Promise.allSettled(changes);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});
