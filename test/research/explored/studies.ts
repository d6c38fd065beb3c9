import assert from 'node:assert/strict';
import type { End, Request, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { patient, researcher } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';
import { definition } from '../study.ts';

/** A study as the scenarios make and read it. */

/** Named by the set-up. */
export const made = { studyId: '', code: '' };
const agreementId = definition.agreementId;

export const consents: Request = { params: { versionId: 'research-data-1.0' } };
export const withdraws: Request = { params: { agreementId } };
export const joins = (): Request => ({ body: { code: made.code } });
export const leaves = (keepExported?: boolean): Request => ({
  params: { studyId: made.studyId },
  ...(keepExported !== undefined && { query: { keepExported: String(keepExported) } }),
});
export const renews = (key: string): Request => ({
  params: { studyId: made.studyId },
  headers: { 'Idempotency-Key': key },
});
export const moves = (to: string, revision: number): Request => ({
  params: { studyId: made.studyId },
  headers: { 'If-Match': `"${revision}"` },
  body: { to },
});

/** A study that recruits, with a code. */
export async function recruiting(given: SetUp): Promise<void> {
  const { call } = given;
  await catalogues(given);
  // Without it no export is signed.
  await given.run('vouchForReceiptKeys');
  const study = await call(researcher, 'createStudy', { headers: { 'Idempotency-Key': 'study' }, body: definition });
  made.studyId = String(study.body.studyId);
  await call(researcher, 'transitionStudy', moves('recruiting', 1));
  const renewed = await call(researcher, 'renewStudyCode', renews('first'));
  made.code = String(renewed.body.code);
}

export const chainOf = ({ rows }: Pick<End, 'rows'>, userId: string) =>
  rows('ConsentRecords')
    .filter(({ userAgreement }) => userAgreement === `${userId}#${agreementId}`)
    .toSorted((one, other) => one.sequence - other.sequence);

export const enrolmentOf = ({ rows }: Pick<End, 'rows'>, userId: string): Row | undefined =>
  rows('Enrolments').find((each) => each.userId === userId);

/** The study as it was after a commit. */
function studyAt({ written, rows }: End, at: number): Row {
  const changes = written().filter(({ table, after }) => table === 'Studies' && after?.kind === 'study');
  const last = changes.findLast(({ commit }) => commit <= at);
  return last?.after ?? changes[0]?.before ?? (rows('Studies').find(({ kind }) => kind === 'study') as Row);
}

const byKey = (one: Row, other: Row) => (`${one.studyId}${one.userId}` < `${other.studyId}${other.userId}` ? -1 : 1);

export const studyInvariants: Scenario['invariants'] = {
  'an enrolment stands in both directions': ({ rows }) => {
    assert.deepEqual(rows('Enrolments').toSorted(byKey), rows('UserEnrolments').toSorted(byKey));
  },
  'the counter shards count who takes part': ({ rows }) => {
    const counterShards = rows('Studies').filter(({ kind }) => kind.startsWith('door#'));
    const counted = counterShards.reduce((sum, { participants = 0 }) => sum + participants, 0);
    assert.equal(counted, rows('Enrolments').filter(({ leftAt }) => leftAt === null).length);
  },
  'all counter shards say what the study says': ({ rows }) => {
    const [study] = rows('Studies').filter(({ kind }) => kind === 'study');
    const counterShards = rows('Studies').filter(({ kind }) => kind.startsWith('door#'));
    assert.equal(counterShards.length, 16);
    for (const { state } of counterShards) assert.equal(state, study?.state);
    assert.equal(new Set(counterShards.map(({ codeId }) => codeId)).size, 1);
  },
  'who takes part consents, and by that very record or a later one': (end) => {
    for (const { userId, leftAt, consentSequence } of end.rows('Enrolments')) {
      if (leftAt !== null) continue;
      const later = chainOf(end, userId).filter(({ sequence }) => sequence >= consentSequence);
      assert.ok(later.length > 0 && later.every(({ action }) => action === 'agreed'), `${userId} does not consent`);
    }
  },
  'who left has revoked': (end) => {
    for (const { userId, leftAt, consentSequence } of end.rows('Enrolments')) {
      if (leftAt === null) continue;
      const revoked = chainOf(end, userId).some(
        ({ action, sequence }) => action === 'revoked' && sequence > consentSequence,
      );
      assert.ok(revoked, `${userId} left without a revocation`);
    }
  },
  'who comes in does so while the study recruits, by the code that it has then or by an invitation': (end) => {
    const invitations = end.rows('StudyCodes').filter(({ kind }) => kind === 'invitation');
    for (const { table, commit, before, after } of end.written()) {
      if (table !== 'Enrolments' || after?.leftAt !== null || before?.codeId === after.codeId) continue;
      const { state, codeId } = studyAt(end, commit);
      assert.equal(state, 'recruiting');
      const codes = [codeId, ...invitations.map((each) => each.codeId)];
      assert.ok(codes.includes(after.codeId), 'the code was renewed before');
    }
  },
  "the user's own list says so, too": async (end) => {
    const own = enrolmentOf(end, patient.userId);
    const { body } = await end.call(patient, 'listOwnStudies');
    const [shown] = body.items as unknown as Row[];
    assert.equal(shown?.isParticipating ?? false, own !== undefined && own.leftAt === null);
  },
};

/** What was told of a user, in order, each once or repeated. */
export const enrolmentEvents: Scenario['invariants'] = {
  'each beginning and each end has its event': ({ changes, outside }) => {
    const told = outside.events.map(({ type, detail }) => `${type} ${detail.userId}`);
    for (const { before, after } of changes('Enrolments')) {
      const wasIn = before !== null && before.leftAt === null;
      const isIn = after !== null && after.leftAt === null;
      if (isIn && !wasIn) assert.ok(told.includes(`StudyJoined ${after?.userId}`), 'nobody was told who joined');
      if (wasIn && !isIn) assert.ok(told.includes(`StudyLeft ${before?.userId}`), 'nobody was told who left');
    }
  },
};
