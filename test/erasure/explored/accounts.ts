import assert from 'node:assert/strict';
import { checkChain } from '../../../functions/ledger/rules.ts';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Call, End, Invariant, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';

/** What the scenarios of erasure have in common. */

export const { userId } = patient;
export const agreement = 'marketing';
export const agreeing = { params: { versionId: `${agreement}-1.0` } };
/** A user of the pool with a session, a profile, a phone, and one consent. */
export async function aUser(setUp: SetUp): Promise<void> {
  await catalogues(setUp);
  const { outside, call } = setUp;
  outside.users[userId] = {
    sub: userId,
    attributes: { email: 'patient@example.com', email_verified: 'true' },
    enabled: true,
    groups: [],
    status: 'CONFIRMED',
    password: 'patient-patient',
    signedOut: 0,
  };
  const signIn = { grantType: 'password', username: 'patient@example.com', password: 'patient-patient' };
  assert.equal((await call(patient, 'issueTokens', { body: signIn })).status, 200);
  assert.equal((await call(patient, 'readProfile')).status, 200);
  assert.equal((await call(patient, 'registerDevice', phone)).status, 200);
  assert.equal((await call(patient, 'agree', agreeing)).status, 200);
}

export const phone = {
  params: { deviceId: 'phone-1' },
  body: { platform: 'android', environment: 'production', token: 'token-1', appVersion: '1.0.0', locale: 'de-DE' },
};

export function stateIn({ rows }: End): Row | undefined {
  return rows('Erasures').find(({ kind, erasureKey }) => kind === 'user' && erasureKey === userId);
}

function accountRows({ rows }: End): { guards: number; isClosed: boolean; ends: string[] } {
  const own = rows('Accounts').filter((row) => row.userId === userId);
  const account = own.find(({ part }) => part === 'account');
  return {
    guards: own.filter(({ part }) => String(part).startsWith('guard-')).length,
    isClosed: account?.isClosed === true,
    ends: account?.ends ?? [],
  };
}

/** The commits between which the account had its guards. */
function closings({ written }: End): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const { table, commit, before, after } of written()) {
    if (table !== 'Accounts' || (after ?? before)?.part !== 'guard-00' || (after ?? before)?.userId !== userId)
      continue;
    const last = found.at(-1);
    if (after && !before) found.push({ from: commit, to: Number.POSITIVE_INFINITY });
    if (!after && last) last.to = commit;
  }
  return found;
}

/**
 * What belongs to the closing itself: its own state, the account, and the ends of sessions; what staff do about the user; and
 * the sign-ins in the grace, which the user needs to take it back.
 */
const ownTables = [
  ...['Accounts', 'Erasures', 'Sessions', 'EndedSessions', 'LegalHolds', 'AuditEvents', 'AccessLog'],
  ...['SignIns', 'SignInTries'],
];

/** It stays for good, so that no token that is still valid makes the user again. */
export function isTombstone(row: Row): boolean {
  return Object.keys(row).sort().join() === 'erasedAt,userId';
}

const nothingIsWritten: Invariant = (end) => {
  for (const { from, to } of closings(end)) {
    for (const { table, commit, after } of end.written()) {
      if (!after || isTombstone(after) || ownTables.includes(table) || commit <= from || commit >= to) continue;
      assert.ok(!JSON.stringify(after).includes(userId), `${table} was written for a closed account`);
    }
  }
};

const accountFollowsTheState: Invariant = (end) => {
  const state = stateIn(end);
  const { guards, isClosed } = accountRows(end);
  const isRequested = Boolean(state?.requestedAt);
  const isErased = Boolean(state?.erasedAt);
  assert.equal(isClosed, isRequested, 'the account is closed as the state says');
  assert.equal(guards, isRequested && !isErased ? 64 : 0);
};

export function evidenceAt({ outside }: End, prefix: string): string[] {
  const place = `Evidence/${prefix}${userId}/`;
  return Object.keys(outside.objects)
    .filter((key) => key.startsWith(place))
    .map((key) => key.slice(place.length).replace(/\.json$/, ''))
    .sort();
}

export function decisionAbout({ outside }: End, requestedAt: string): string | null {
  const [oldest] = outside.objects[`Evidence/erasure-decisions/${userId}/${requestedAt}.json`] ?? [];
  return oldest ? (JSON.parse(oldest.body.toString()) as { decision: string }).decision : null;
}

/** No state has a request without its evidence, and an answer says only what is stored. */
const requestsHaveEvidence: Invariant = (end) => {
  const laid = evidenceAt(end, 'erasure-requests/');
  for (const { table, after } of end.written()) {
    if (table !== 'Erasures' || after?.kind !== 'user' || !after.requestedAt) continue;
    assert.ok(laid.includes(after.requestedAt), `no evidence of the request of ${after.requestedAt}`);
  }
  for (const { operation, answer } of end.calls) {
    if (operation !== 'requestErasure' || answer.status !== 200) continue;
    const { requestedAt, endedAt } = answer.body as unknown as Row;
    assert.ok(laid.includes(requestedAt));
    assert.ok(endedAt >= requestedAt, 'the consents end with the request or later');
  }
};

/**
 * Everything that the log is read for. A replay decides itself what is pending, and S3 may refuse the state in which only
 * this changed: nothing logs that state again.
 */
function factsOf({ kind: _kind, erasureKey: _key, revision: _revision, pending: _pending, ...facts }: Row): string {
  return JSON.stringify(Object.entries(facts).toSorted());
}

/** Every state is in the log, from which a restored table is completed. */
export const statesAreLogged: Invariant = (end) => {
  const logged = Object.entries(end.outside.objects)
    .filter(([key]) => key.startsWith(`Evidence/erasures/${userId}/`))
    .map(([, [oldest]]) => JSON.parse(oldest?.body.toString() ?? '{}') as Row);
  const state = stateIn(end);
  if (!state) return;
  assert.ok(logged.map(factsOf).includes(factsOf(state)), 'the last state is in the log');
};

/** The queue leads to the next step, and to nothing else. */
export const queueLeadsOn: Invariant = ({ rows }) => {
  const due = rows('Erasures').filter(({ kind }) => String(kind).startsWith('due#'));
  assert.ok(due.length <= 1, 'one row of the queue at most');
};

/** Consents: those of before a closing are over, those of after it count. */
export const consentsEnd: Invariant = async (end) => {
  const state = stateIn(end);
  if (state?.erasedAt) return;
  const records = end
    .written()
    .filter(({ table, after }) => table === 'ConsentRecords' && after?.agreementId === agreement);
  const last = records.at(-1);
  const closed = closings(end);
  const lastClosing = closed.at(-1);
  const isOver = lastClosing !== undefined && (last?.commit ?? 0) < lastClosing.from;
  if (state?.requestedAt) {
    // Nothing of the account answers, except this list.
    for (const { after } of records)
      assert.ok(String(after?.recordedAt ?? after?.agreedAt ?? '') <= (state.endedAt ?? '~'));
    return;
  }
  const { status, body } = await end.call(patient, 'listAgreements');
  assert.equal(status, 200);
  const item = (body as unknown as { items: Row[] }).items.find(({ agreementId }) => agreementId === agreement);
  const isAgreed = last ? last.after?.action === 'agreed' : true;
  if (!isAgreed || isOver) assert.equal(item?.agreed, false);
  // One that was under way while the account was closed and opened may be of before the closing.
  else if (!lastClosing || isOfAfter(end)) assert.equal(item?.agreed, true);
};

/** Whether the last consent was given after the account was told to be open again. */
function isOfAfter({ calls }: End): boolean {
  const restored = calls
    .filter(({ operation, answer }) => operation === 'restoreAccount' && answer.status === 200)
    .at(-1);
  const agreed = calls.filter(({ operation, answer }) => operation === 'agree' && answer.status === 200).at(-1);
  return Boolean(restored && agreed && agreed.begun >= restored.ended);
}

/** What an answer says about an account that is closed, or open, agrees with the order of the calls. */
export const writesAreRefusedOnlyWhenClosed: Invariant = (end) => {
  const decisions = end.calls.filter(({ operation }) => /requestErasure|restoreAccount/.test(operation));
  for (const call of end.calls) {
    if (decisions.includes(call) || !isAnswered(call)) continue;
    const earlier = decisions.filter(({ ended }) => ended <= call.begun);
    const beside = decisions.filter(({ begun, ended }) => begun < call.ended && ended > call.begun);
    const isUnsure = [...earlier, ...beside].some((each) => !isAnswered(each)) || beside.length > 0;
    const last = earlier.at(-1);
    const isClosed = last?.operation === 'requestErasure' && last.answer.status === 200;
    if (isUnsure) continue;
    assert.equal(call.answer.status, isClosed ? 403 : 200, `${call.client} ${call.operation}`);
  }
};

export function lastOf({ calls }: End, operation: string): Call | undefined {
  return calls.filter((call) => call.operation === operation).at(-1);
}

/** Each closing that ended the consents is told, and each restoration. */
export const eventsAreTold: Invariant = (end) => {
  const told = (type: string) => end.outside.events.filter((event) => event.type === type).map(({ detail }) => detail);
  for (const { table, after } of end.written()) {
    if (table !== 'Erasures' || after?.kind !== 'user') continue;
    if (after.settledAt) assert.ok(told('ConsentsEnded').some(({ endedAt }) => endedAt === after.endedAt));
    if (after.restoredAt) assert.ok(told('AccountRestored').some(({ restoredAt }) => restoredAt === after.restoredAt));
  }
};

/** Whether any session of the user still renews. */
export function renewing({ outside, now }: End): string[] {
  return Object.entries(outside.tokens)
    .filter(([token, renews]) => token.startsWith(`${userId}.`) && (renews === true || Number(renews) > now))
    .map(([token]) => token);
}

/** The hashes fit; and a consent that is agreed to again was revoked before, or ended with the account. */
export const chainsFit: Invariant = (end) => {
  const records = end
    .rows('ConsentRecords')
    .filter((row) => row.userAgreement === `${userId}#${agreement}`)
    .toSorted((one, other) => one.sequence - other.sequence);
  assert.deepEqual(checkChain(`${userId}#${agreement}`, records as never), []);
  const commitOf = ({ recordId }: Row) =>
    end.written().find(({ table, after }) => table === 'ConsentRecords' && after?.recordId === recordId)?.commit ?? 0;
  for (const [index, record] of records.entries()) {
    const before = records[index - 1];
    if (!before || before.action !== record.action) continue;
    const isEnded = closings(end).some(({ from }) => from > commitOf(before) && from < commitOf(record));
    assert.ok(record.action === 'agreed' && isEnded, `${record.action} twice`);
  }
};

/** What holds beside everything that a user or a run does about an erasure. */
export const accountInvariants: Scenario['invariants'] = {
  'nothing is written for a closed account': nothingIsWritten,
  'the account is open or closed as the state says': accountFollowsTheState,
  'each request has its evidence': requestsHaveEvidence,
  'each state is in the log': statesAreLogged,
  'the queue has one row at most': queueLeadsOn,
};
