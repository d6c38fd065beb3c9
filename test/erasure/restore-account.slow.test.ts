import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { listVersions } from '../../lib/runtime/objects.ts';
import { eventually } from '../eventually.ts';
import { erasureStage } from './stage.ts';

/** The grace after the request: what continues, and what is restored. */

const stand = erasureStage();
const agree = '/agreements/versions/marketing-1.0/agree';
const list = async (call: Awaited<ReturnType<typeof stand.person>>['call']) =>
  (await call('GET', '/users/agreements')).body.items.find(
    ({ agreementId }: { agreementId: string }) => agreementId === 'marketing',
  );

async function eventsOf(userId: string, detailType: string) {
  const answer = await fetch(`${stand.stage().url}/_local/bus-events?detailType=${detailType}`);
  const { items } = (await answer.json()) as { items: { event?: { detail?: Record<string, unknown> } }[] };
  return items.flatMap(({ event }) => (event?.detail?.userId === userId ? [event.detail] : []));
}

/** A user who agreed, asked for the deletion, and signed in again. */
async function leaving() {
  const someone = await stand.person();
  await someone.call('GET', '/users/me');
  const { agreedAt } = (await someone.call('POST', agree)).body;
  const { body: asked } = await someone.call('DELETE', '/users/me');
  const { accessToken } = (await someone.signIn()).body;
  return { ...someone, call: stand.as(accessToken, 'sleepcare'), agreedAt, asked };
}

describe('200', () => {
  test('the account is as before, and the consents stay ended until they are given again', async () => {
    const { userId, email, call, agreedAt, asked } = await leaving();
    const { endedAt } = asked;
    expect((await call('GET', '/users/me')).body).toMatchObject({ userId, email });
    expect((await call('POST', agree)).body.code).toBe('ACCOUNT_CLOSED');

    const { status, body } = await call('POST', '/users/me/restore');
    const none = { requestedAt: null, endedAt: null, restorableUntil: null, erasesAt: null };
    expect({ status, body }).toEqual({
      status: 200,
      body: { userId, status: 'none', ...none, restoredAt: body.restoredAt },
    });
    // A repetition, after a lost answer, says the same.
    expect((await call('POST', '/users/me/restore')).body).toEqual(body);
    expect((await call('GET', '/users/me/erasure')).body).toEqual(body);

    expect(await list(call)).toMatchObject({ agreed: false, agreedAt: null, revokedAt: null, endedAt });
    const state = '/users/agreements/marketing/state';
    expect((await call('GET', state)).body).toMatchObject({ agreed: false, endedAt });
    // Revoking an ended consent writes nothing.
    expect((await call('DELETE', '/users/agreements/marketing/consent')).body).toMatchObject({ revokedAt: endedAt });

    const again = (await call('POST', agree)).body;
    expect(again.agreedAt > endedAt).toBe(true);
    expect((await call('POST', agree)).body).toEqual(again);
    expect(await list(call)).toMatchObject({ agreed: true, agreedAt: again.agreedAt, endedAt: null });
    expect((await call('GET', state)).body).toMatchObject({ agreed: true, endedAt: null });
    expect((await call('GET', `${state}?at=${agreedAt}`)).body).toMatchObject({ agreed: true, endedAt: null });
    expect((await call('GET', `${state}?at=${endedAt}`)).body).toMatchObject({ agreed: false, endedAt });
    const history = (await call('GET', '/users/agreements/marketing/history')).body;
    expect(history.items.map(({ recordedAt }: { recordedAt: string }) => recordedAt)).toEqual([
      again.agreedAt,
      agreedAt,
    ]);
    expect(history.metadata.ends).toEqual([endedAt]);

    await eventually(async () => {
      expect(await eventsOf(userId, 'ConsentsEnded')).toEqual([{ userId, endedAt }]);
      const restored = { userId, restoredAt: body.restoredAt, endedAt };
      expect(await eventsOf(userId, 'AccountRestored')).toEqual([restored]);
    });
  });

  test('an account can be closed again, and is erased then', async () => {
    const { userId, call, again } = await leaving();
    await call('POST', '/users/me/restore');
    await call('POST', agree);
    const { body: asked } = await call('DELETE', '/users/me');
    expect(await list(await again())).toMatchObject({ agreed: false, endedAt: asked.endedAt });
    await stand.endAccess(userId);
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
    expect(await stand.read('Users', { userId })).toEqual({ userId, erasedAt: expect.any(String) });
  });

  test('without a request there is nothing to take back, and also not for an unknown account', async () => {
    const { userId, call } = await stand.person();
    const { status, body } = await call('POST', '/users/me/restore');
    expect([status, body.status, body.restoredAt]).toEqual([200, 'none', null]);
    expect((await call('GET', '/users/me/erasure')).body).toEqual(body);
    expect(await stand.rows('Accounts', 'userId', userId)).toEqual([]);
  });

  test('simultaneous restorations and requests leave the account open or closed, and consistent', async () => {
    const { userId } = await leaving();
    for (let round = 0; round < 5; round += 1) {
      const all = ['POST /users/me/restore', 'DELETE /users/me', 'POST /users/me/restore'].map((one) => one.split(' '));
      const at = await stand.signedInAnew(userId);
      const answers = await Promise.all(all.map(([method = '', path = '']) => at(method, path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const call = await stand.signedInAnew(userId);
      const { status } = (await call('GET', '/users/me/erasure')).body;
      const guards = (await stand.rows('Accounts', 'userId', userId)).filter(({ part }) => part !== 'account');
      expect(guards.length).toBe(status === 'none' ? 0 : 64);
      expect((await call('POST', agree)).status).toBe(status === 'none' ? 200 : 403);
    }
  });

  test('works under a hold, too: a hold is about data', async () => {
    const { userId, call } = await leaving();
    const admin = await stand.admin();
    await admin('PUT', `/users/${userId}/legal-hold`, { reason: 'CASE-2026-3' });
    expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ status: 'requested', erasesAt: null });
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    expect((await call('POST', agree)).status).toBe(200);
    expect((await admin('GET', `/users/${userId}/erasure`)).body).toMatchObject({ status: 'held', requestedAt: null });
  });

  test('an interrupted request is settled first, so that it is known which consents ended', async () => {
    const { userId, call, again } = await stand.person();
    await call('POST', agree);
    stand.faults.dynamo = ({ action, input }) =>
      action === 'Query' && String(input.TableName).includes('ConsentStates') ? 'error' : undefined;
    expect((await call('DELETE', '/users/me')).status).toBe(503);
    delete stand.faults.dynamo;
    const after = await again();
    expect(await list(after)).toMatchObject({ agreed: false });
    expect((await after('POST', '/users/me/restore')).status).toBe(200);
    // The session that took the request back goes on.
    expect(await list(after)).toMatchObject({ agreed: false, endedAt: expect.any(String) });
    await eventually(async () => expect(await eventsOf(userId, 'ConsentsEnded')).toHaveLength(1));
  });
});

test('a request that is taken back before its commit is made again: the answered restoration stays', async () => {
  const { userId, call, again } = await stand.person();
  await call('GET', '/users/me');
  const Bucket = stand.stage().data.buckets('Evidence');
  const place = { s3: stand.s3(), bucket: Bucket };
  const decided: string[] = [];
  stand.faults.dynamo = async ({ action, input }) => {
    const isCommit = action === 'TransactWriteItems' && JSON.stringify(input).includes('graceEndsAt');
    if (!isCommit || decided.length > 0) return undefined;
    // The restoration of another call, which finds the request only in the bucket.
    for await (const { key } of listVersions(place, `erasure-requests/${userId}/`)) {
      const Key = key.replace('erasure-requests/', 'erasure-decisions/');
      await place.s3.send(new PutObjectCommand({ Bucket, Key, Body: '{"decision":"restored"}', IfNoneMatch: '*' }));
      decided.push(key);
    }
    return undefined;
  };
  const { status, body } = await call('DELETE', '/users/me');
  delete stand.faults.dynamo;
  expect(decided).toHaveLength(1);
  expect(status).toBe(200);
  expect(decided[0]).not.toContain(body.requestedAt);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  expect((await (await again())('GET', '/users/me/erasure')).body).toMatchObject({
    status: 'requested',
    requestedAt: body.requestedAt,
  });
});

test('429 for a user who requests and takes back all day; the account stays open, and there are no more requests', async () => {
  const { userId, call } = await stand.person();
  const Bucket = stand.stage().data.buckets('Evidence');
  const latest = Date.now() - 60_000;
  for (let number = 0; number < 20; number += 1) {
    const at = new Date(latest - number).toISOString();
    for (const [prefix, body] of [
      ['erasure-requests', {}],
      ['erasure-decisions', { decision: 'restored' }],
    ] as const) {
      const Key = `${prefix}/${userId}/${at}.json`;
      await stand.s3().send(new PutObjectCommand({ Bucket, Key, Body: JSON.stringify(body), IfNoneMatch: '*' }));
    }
  }
  const { status, body } = await call('DELETE', '/users/me');
  expect([status, body.code]).toEqual([429, 'TOO_MANY_ERASURE_REQUESTS']);
  expect((await call('POST', agree)).status).toBe(200);
  const laid: string[] = [];
  for await (const { key } of listVersions({ s3: stand.s3(), bucket: Bucket }, `erasure-requests/${userId}/`))
    laid.push(key);
  expect(laid).toHaveLength(20);
});

describe('409', () => {
  test('when the grace is over', async () => {
    const { userId, signIn } = await leaving();
    await stand.endGrace(userId);
    // A sign-in of the last moment: the end of the grace has ended the others.
    const call = await stand.signedInAnew(userId);
    const { status, body } = await call('POST', '/users/me/restore');
    expect([status, body.code]).toEqual([409, 'GRACE_ENDED']);
    expect((await signIn()).status).toBe(401);
    expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ status: 'requested', restorableUntil: null });
  });

  test('by the time machine', async () => {
    const { userId, call, signIn } = await leaving();
    await stand.travel(1);
    expect((await call('POST', '/users/me/restore')).body.code).toBe('GRACE_ENDED');
    expect((await signIn()).status).toBe(200);
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
    await stand.travel(0);
    // Even if the clock goes back, the decision stays.
    expect((await signIn()).status).toBe(401);
    const late = await stand.signedInAnew(userId);
    expect((await late('POST', '/users/me/restore')).body.code).toBe('GRACE_ENDED');
    expect(await stand.read('Users', { userId })).toHaveProperty('email');
  });
});

test.each([
  ['GET', '/users/me/erasure'],
  ['POST', '/users/me/restore'],
])('401: %s %s without a token', async (method, path) => {
  expect((await stand.call(method, path)).status).toBe(401);
});
