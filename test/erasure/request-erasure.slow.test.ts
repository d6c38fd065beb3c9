import { randomUUID } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { replayErasures } from '../../functions/erasure/jobs/replay-erasures.ts';
import { dueKeyOf } from '../../functions/erasure/rules/due.ts';
import { erasureKeyOf, requested } from '../../functions/erasure/rules/erasure.ts';
import { logNameOf } from '../../functions/erasure/rules/replayed.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { logErasure, storeTombstone } from '../../functions/erasure/stores/erasure-log.ts';
import { tombstoneKey } from '../../functions/evidence/rules/evidence-keys.ts';
import { applications, deletionGraceDays } from '../../functions/product.ts';
import { emailKey } from '../../functions/users/rules/profile.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import { isSignedBy, readCompact } from '../../lib/runtime/jws.ts';
import { listVersions, readObject } from '../../lib/runtime/objects.ts';
import { handlesNamed } from '../tables.ts';
import { erasureStage } from './stage.ts';

const stand = erasureStage();
const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };

/** A patient with all that a patient can have. */
async function patient() {
  const someone = await stand.person();
  const { call, userId } = someone;
  await call('GET', '/users/me');
  const { body: device } = await call('PUT', '/users/me/devices/phone', { ...phone, token: `token-${userId}` });
  expect(device.status).toBe('active');
  await call('POST', '/agreements/versions/marketing-1.0/agree');
  await call('DELETE', '/users/agreements/marketing/consent');
  const admin = await stand.admin();
  expect(await admin('POST', `/users/${userId}/agent-board/messages`, { title: 'T', body: 'B' })).toMatchObject({
    status: 201,
  });
  return someone;
}

/** A user's remaining rows in the tables, and whether the user can sign in. */
async function traces({ userId, email }: { userId: string; email: string }) {
  const devices = await stand.rows('Devices', 'userId', userId);
  return {
    profile: await stand.read('Users', { userId }),
    address: await stand.read('Users', { userId: emailKey('sleepcare', email) }),
    devices: devices.length,
    messages: (await stand.rows('AgentBoardMessages', 'userId', userId)).length,
  };
}

function placeOf() {
  const { tables, buckets } = stand.stage().data;
  const { Erasures, Accounts, LegalHolds } = handlesNamed(stand.data(), ['Erasures', 'Accounts', 'LegalHolds'], tables);
  return { table: Erasures, accounts: Accounts, holds: LegalHolds, bucket: buckets('Evidence'), s3: stand.s3() };
}

const askedAt = (userId: string, now: Date) => ({
  userId,
  application: 'sleepcare',
  times: { now, businessNow: now },
  graceDays: 1,
});

async function countOf(items: AsyncIterable<unknown>) {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

const erased = { profile: { erasedAt: expect.any(String) }, address: undefined, devices: 0, messages: 0 };

describe('200', () => {
  test('sessions end at once; the account ends when grace and tokens are over, and the records stay', async () => {
    const someone = await patient();
    const { userId, call } = someone;
    const [device] = await stand.rows('Devices', 'userId', userId);
    const asked = await call('DELETE', '/users/me');
    const { requestedAt, endedAt, restorableUntil, erasesAt } = asked.body;
    const times = { requestedAt, endedAt, restorableUntil, erasesAt, restoredAt: null };
    expect(asked).toEqual({ status: 200, body: { userId, status: 'requested', ...times } });
    expect(endedAt >= requestedAt).toBe(true);
    expect(Date.parse(restorableUntil) - Date.parse(requestedAt)).toBeCloseTo(deletionGraceDays.dev * 86_400_000, -4);
    expect(Date.parse(erasesAt) - Date.parse(restorableUntil)).toBe(16 * 60_000);
    expect((await someone.renew()).status).toBe(401);
    expect((await call('GET', '/users/me/erasure')).body.code).toBe('UNAUTHENTICATED');

    // During the grace the user can sign in, but nobody writes to the user.
    const again = await someone.again();
    expect(await again('DELETE', '/users/me')).toEqual(asked);
    expect(await again('GET', '/users/me/erasure')).toEqual(asked);
    expect((await again('GET', '/users/me')).status).toBe(200);
    const admin = await stand.admin();
    const posted = await admin('POST', `/users/${userId}/agent-board/messages`, { title: 'T', body: 'B' });
    expect([posted.status, posted.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
    expect((await traces(someone)).profile).toMatchObject({ email: someone.email });
    expect((await admin('GET', `/users/${userId}/erasure`)).body).toMatchObject({ status: 'requested', requestedAt });

    await stand.endGrace(userId);
    expect((await someone.signIn()).status).toBe(401);
    expect((await traces(someone)).profile).toMatchObject({ email: someone.email });
    await stand.endAccess(userId);
    expect(await stand.run('erase-accounts', 'medinfo')).toMatchObject({ ok: true });
    expect((await traces(someone)).devices).toBe(1);
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
    expect(await traces(someone)).toEqual({ ...erased, profile: { userId, erasedAt: expect.any(String) } });
    for (const tokenKey of [`token#${device?.tokenHash}`, `endpoint#${device?.endpointArn}`]) {
      expect(await stand.read('DeviceTokens', { tokenKey })).toBe(undefined);
    }
    // No token of the user is valid any more, except this one of the test.
    const gone = await (await stand.signedInAnew(userId))('GET', '/users/me');
    expect([gone.status, gone.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    expect(await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`)).toHaveLength(2);
    const state = (await admin('GET', `/users/${userId}/erasure`)).body;
    expect(state).toMatchObject({ status: 'erased', erasedAt: expect.any(String), releasedAt: null, legalHold: null });
    expect(Number(state.retainUntil.slice(0, 4)) - Number(state.erasedAt.slice(0, 4))).toBe(10);
    expect(stand.log.join()).not.toContain(userId);
  });

  test('simultaneous requests and runs lead to one erasure', async () => {
    const { userId } = await patient();
    // The first one's end of the sessions refuses those that are in a list. A sign-in of this second is in none.
    const call = await stand.signedInAnew(userId);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(async () => call('DELETE', '/users/me')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.requestedAt} ${body.erasesAt}`)).size).toBe(1);
    await stand.endAccess(userId);
    const runs = await Promise.all([1, 2, 3].map(async () => stand.run('erase-accounts')));
    expect(runs.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
    const admin = await stand.admin();
    expect((await admin('GET', `/users/${userId}/erasure`)).body.status).toBe('erased');
    expect(await stand.rows('Devices', 'userId', userId)).toEqual([]);
  });

  test('a user without a profile gets none during the erasure', async () => {
    const { userId, call, again } = await stand.person();
    expect((await call('DELETE', '/users/me')).status).toBe(200);
    const renewed = await again();
    expect(await renewed('GET', '/users/me')).toMatchObject({ status: 200, body: { userId } });
    expect((await renewed('PATCH', '/users/me', { locale: 'de' })).body.code).toBe('ACCOUNT_CLOSED');
    expect(await stand.read('Users', { userId })).toBe(undefined);
    await stand.endAccess(userId);
    await stand.run('erase-accounts');
    expect(await stand.read('Users', { userId })).toMatchObject({ erasedAt: expect.any(String) });
  });

  test("medinfo's own users are erased by medinfo's function; so is a user who is in no pool", async () => {
    const userId = randomUUID();
    const call = stand.as(await stand.tokenOf('agent', 'medinfo', userId), 'medinfo');
    await call('GET', '/users/me');
    expect((await call('DELETE', '/users/me')).status).toBe(200);
    await stand.endAccess(userId);
    expect(await stand.run('erase-accounts', 'medinfo')).toMatchObject({ ok: true });
    expect(await stand.read('Users', { userId })).toEqual({ userId, erasedAt: expect.any(String) });
  });

  test('an address that another user has by then is kept', async () => {
    const someone = await patient();
    const { userId, email, call } = someone;
    await call('DELETE', '/users/me');
    await stand.put('Users', { userId: emailKey('sleepcare', email), owner: 'another' });
    await stand.endAccess(userId);
    await stand.run('erase-accounts');
    expect((await traces(someone)).address).toMatchObject({ owner: 'another' });
  });
});

test('503 while the user pool is down: consents end anyway, and the next run ends the sessions', async () => {
  const { call, again, renew } = await patient();
  stand.faults.pool = ({ action }) => (action === 'AdminUserGlobalSignOut' ? 'error' : undefined);
  const refused = await call('DELETE', '/users/me');
  expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: false });
  const { body: pending } = await call('GET', '/users/me/erasure');
  expect(pending).toMatchObject({ status: 'requested', endedAt: expect.any(String) });
  expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).body.code).toBe('ACCOUNT_CLOSED');
  delete stand.faults.pool;
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  expect((await renew()).status).toBe(401);
  expect((await (await again())('DELETE', '/users/me')).body).toEqual(pending);
});

test('503 while sign-in cannot be closed: no period begins while sign-in still works', async () => {
  const { userId, call, signIn } = await patient();
  await call('DELETE', '/users/me');
  stand.faults.pool = ({ action }) => (action === 'AdminDisableUser' ? 'error' : undefined);
  await stand.endGrace(userId);
  const admin = await stand.admin();
  const state = async () => (await admin('GET', `/users/${userId}/erasure`)).body;
  expect(await state()).toMatchObject({ status: 'requested', signInClosedAt: null });
  delete stand.faults.pool;
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  expect((await signIn()).status).toBe(401);
  const { signInClosedAt, erasesAt } = await state();
  expect(Date.parse(erasesAt) - Date.parse(signInClosedAt)).toBe(16 * 60_000);
});

test('the next run finishes an interrupted run, and a failure for one user does not affect another', async () => {
  const [first, second] = [await patient(), await patient()];
  for (const { userId, call } of [first, second]) {
    await call('DELETE', '/users/me');
    await stand.endGrace(userId);
  }
  for (const { userId } of [first, second]) await stand.endAccess(userId);
  stand.faults.sns = ({ action }) => (action === 'DeleteEndpoint' ? 'error' : undefined);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: false });
  // An endpoint that SNS refuses to delete stops neither the profile's nor the messages' deletion.
  expect(await traces(first)).toMatchObject({ ...erased, devices: 1 });
  delete stand.faults.sns;
  stand.faults.pool = ({ action, input }) =>
    action === 'AdminDeleteUser' && input.Username === first.userId ? 'throttle' : undefined;
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: false });
  expect(await traces(second)).toMatchObject(erased);
  const admin = await stand.admin();
  expect((await admin('GET', `/users/${second.userId}/erasure`)).body.status).toBe('erased');
  expect((await admin('GET', `/users/${first.userId}/erasure`)).body.status).toBe('requested');
  delete stand.faults.pool;
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  expect((await admin('GET', `/users/${first.userId}/erasure`)).body.status).toBe('erased');
  expect(stand.log.join()).not.toContain(first.userId);
});

test('after the retention whole chains are deleted on one day, and a signed tombstone lists them', async () => {
  const { userId, call } = await patient();
  await call('POST', '/agreements/versions/research-data-1.0/agree');
  await call('DELETE', '/users/me');
  await stand.endAccess(userId);
  await stand.run('erase-accounts');
  const admin = await stand.admin();
  const chain = await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`);
  expect(await stand.run('release-consents')).toMatchObject({ ok: true });
  expect(await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`)).toEqual(chain);

  await stand.travel(11);
  expect(await stand.run('release-consents')).toMatchObject({ ok: true });
  await stand.travel(0);
  const { status, recordsExpireAt, releasedAt } = (await admin('GET', `/users/${userId}/erasure`)).body;
  expect(status).toBe('released');
  const expiresAt = Math.floor(Date.parse(recordsExpireAt) / 1000);
  for (const agreementId of ['marketing', 'research-data']) {
    const records = await stand.rows('ConsentRecords', 'userAgreement', `${userId}#${agreementId}`);
    expect(records.map((record) => record.expiresAt)).toEqual(records.map(() => expiresAt));
    expect(records.length).toBeGreaterThan(0);
  }
  expect(await stand.rows('ConsentStates', 'userId', userId)).toEqual([]);

  const Bucket = stand.stage().data.buckets('Evidence');
  const { Body } = await stand.s3().send(new GetObjectCommand({ Bucket, Key: `tombstones/${userId}.jws` }));
  const stone = readCompact((await Body?.transformToString()) ?? '');
  expect(stone && isSignedBy(stone, await stand.tombstoneKey())).toBe(true);
  expect(stone).toMatchObject({ typ: 'ledger-tombstone+jwt', payload: { userId, releasedAt, recordsExpireAt } });
  expect(stone?.payload.chains).toContainEqual({
    agreementId: 'marketing',
    records: 2,
    lastSequence: 2,
    lastHash: chain[1]?.hash,
  });
  const late = await admin('PUT', `/users/${userId}/legal-hold`, { reason: 'CASE-2026-1' });
  expect([late.status, late.body.code]).toEqual([409, 'CONSENTS_RELEASED']);

  // A restored table has the records without their day, and the pointers.
  const { expiresAt: _day, ...restored } =
    (await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`))[0] ?? {};
  await stand.put('ConsentRecords', restored);
  await stand.put('ConsentStates', { userId, agreementId: 'marketing' });
  await replayErasures(placeOf());
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  expect(await stand.run('release-consents')).toMatchObject({ ok: true });
  const again = await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`);
  expect(again.map((record) => record.expiresAt)).toEqual([expiresAt, expiresAt]);
  expect(await stand.rows('ConsentStates', 'userId', userId)).toEqual([]);
  expect((await admin('GET', `/users/${userId}/erasure`)).body).toMatchObject({ releasedAt, recordsExpireAt });

  await stand.stage().sweepExpired(expiresAt * 1000 - 60_000);
  expect(await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`)).toHaveLength(2);
  await stand.stage().sweepExpired(expiresAt * 1000 + 60_000);
  expect(await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`)).toEqual([]);
});

test('the replay erases again what a restore brought back', async () => {
  const someone = await patient();
  const { userId, email, call } = someone;
  const kept = {
    Users: [await stand.read('Users', { userId }), await stand.read('Users', { userId: emailKey('sleepcare', email) })],
    Devices: await stand.rows('Devices', 'userId', userId),
    AgentBoardMessages: await stand.rows('AgentBoardMessages', 'userId', userId),
  };
  const { body: asked } = await call('DELETE', '/users/me');
  await stand.endAccess(userId);
  await stand.run('erase-accounts');
  const admin = await stand.admin();
  const before = (await admin('GET', `/users/${userId}/erasure`)).body;

  // The backup knows neither the erasure nor its request.
  for (const [table, rows] of Object.entries(kept)) {
    for (const row of rows) await stand.put(table as keyof typeof kept, row ?? {});
  }
  for (const { kind, erasureKey } of [
    ...(await stand.rows('Erasures', 'kind', 'due#release')),
    { kind: 'user', erasureKey: userId },
  ]) {
    await stand.remove('Erasures', { kind, erasureKey });
  }
  await stand.remove('Accounts', { userId, part: accountPart });
  const again = await stand.signedInAnew(userId);
  expect((await again('GET', '/users/me')).status).toBe(200);

  const replayed = await replayErasures(placeOf());
  expect(replayed.users).toBeGreaterThanOrEqual(replayed.again);
  expect(replayed.again).toBeGreaterThanOrEqual(1);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  expect(await traces(someone)).toMatchObject(erased);
  expect((await admin('GET', `/users/${userId}/erasure`)).body).toEqual(before);
  // The erasure ended the sign-ins that were older than ten seconds.
  const anew = await stand.signedInAnew(userId);
  expect((await anew('DELETE', '/users/me')).body.requestedAt).toBe(asked.requestedAt);
  // One row: the guards stay only while somebody could write.
  expect(await stand.rows('Accounts', 'userId', userId)).toMatchObject([{ part: accountPart, isClosed: true }]);

  // If nothing has to be done again, the log does not grow.
  for (const application of applications) await stand.run('erase-accounts', application);
  const logged = async () => countOf(listVersions(placeOf(), 'erasures/'));
  const length = await logged();
  const later = new Date(Date.now() + 30 * 86_400_000);
  for (const _ of [1, 2]) expect(await replayErasures(placeOf(), later)).toMatchObject({ again: 0 });
  expect(await logged()).toBe(length);
});

describe('an attacker who can write tables but no evidence', () => {
  async function forge(change: Partial<Erasure>) {
    const { userId, call } = await stand.person();
    await call('POST', '/agreements/versions/marketing-1.0/agree');
    const [asked, erasedAt] = ['2015-01-01T00:00:00.000Z', '2015-01-01T01:00:00.000Z'];
    const ended = {
      settledAt: asked,
      signedOutAt: asked,
      witnessedAt: asked,
      closingAt: asked,
      closedAt: asked,
      accessEndsAt: asked,
    };
    const times = { ...ended, begunAt: erasedAt, erasedAt, retainUntil: erasedAt };
    const before = requested(null, askedAt(userId, new Date(asked)));
    const row = { ...before, revision: 1, ...times, ...change };
    const keys = [erasureKeyOf(userId), dueKeyOf(row) ?? { kind: '', erasureKey: '' }];
    await stand.put('Erasures', { ...keys[0], ...row });
    await stand.put('Erasures', { ...keys[1], userId });
    return { userId, forget: () => Promise.all(keys.map((key) => stand.remove('Erasures', key))) };
  }

  const released = { releasedAt: '2025-01-01T00:00:00.000Z', recordsExpireAt: '2025-01-08T00:00:00.000Z' };
  test.each<[string, Partial<Erasure>, string]>([
    ['that a retention has ended', {}, 'NotInTheLog'],
    ['that it was released', { ...released, pending: 'release', chains: [], tombstone: 'e30.e30.' }, 'NotSigned'],
  ])('cannot say %s', async (_, change, name) => {
    const { userId, forget } = await forge(change);
    const chain = await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`);
    expect(chain).toHaveLength(1);
    expect(await stand.run('release-consents')).toMatchObject({ ok: false });
    await forget();
    expect(stand.log.join()).toContain(name);
    expect(await stand.rows('ConsentRecords', 'userAgreement', `${userId}#marketing`)).toEqual(chain);
    expect(await stand.rows('ConsentStates', 'userId', userId)).toHaveLength(1);
    expect(await readObject(placeOf(), tombstoneKey(userId))).toBe(null);
  });
});

describe('an object that somebody planted in the bucket', () => {
  const plant = (Key: string, Body: string) =>
    stand.s3().send(new PutObjectCommand({ Bucket: stand.stage().data.buckets('Evidence'), Key, Body }));

  test('in place of a tombstone makes its release fail', async () => {
    const userId = randomUUID();
    await storeTombstone(placeOf(), userId, 'a.b.c');
    await storeTombstone(placeOf(), userId, 'a.b.c');
    await plant(tombstoneKey(userId), 'garbage');
    await expect(storeTombstone(placeOf(), userId, 'a.b.c')).rejects.toMatchObject({ name: 'TombstoneTaken' });
    // An operator puts the correct object over it.
    await plant(tombstoneKey(userId), 'a.b.c');
    await storeTombstone(placeOf(), userId, 'a.b.c');
  });

  test('in the log is not accepted as a state, and does not hide the state under it', async () => {
    const [victim, userId] = [randomUUID(), randomUUID()];
    const asked = requested(null, askedAt(userId, new Date()));
    await logErasure(placeOf(), asked);
    const begunAt = new Date().toISOString();
    await plant(`erasures/${victim}/x.json`, JSON.stringify({ ...asked, userId: victim, begunAt }));
    await plant(`erasures/${userId}/${logNameOf(asked)}.json`, JSON.stringify({ ...asked, begunAt }));
    const { ignored } = await replayErasures(placeOf());
    expect(ignored).toBe(1);
    expect(await stand.read('Erasures', erasureKeyOf(victim))).toBe(undefined);
    expect(await stand.read('Erasures', erasureKeyOf(userId))).toMatchObject({ begunAt: null, pending: null });
  });
});
