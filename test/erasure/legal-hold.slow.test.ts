import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { erasureKeyOf } from '../../functions/erasure/rules/erasure.ts';
import { erasureStage } from './stage.ts';

const stand = erasureStage();
const hold = (userId: string) => `/users/${userId}/legal-hold`;
const events = async (userId: string) =>
  (await stand.rows('AuditEvents', 'application', 'medinfo')).filter(({ subject }) => subject === `user/${userId}`);

describe('200', () => {
  test('a hold stops the erasure, but not the closing of sign-in; after the hold is lifted the erasure goes on', async () => {
    const { userId, call, signIn } = await stand.person();
    await call('GET', '/users/me');
    const admin = await stand.admin();
    const set = await admin('PUT', hold(userId), { reason: ' CASE-2026-7 ' });
    const legalHold = { since: expect.any(String), by: expect.any(String), reason: 'CASE-2026-7' };
    expect(set).toMatchObject({ status: 200, body: { userId, status: 'held', requestedAt: null, legalHold } });
    expect(await admin('PUT', hold(userId), { reason: 'CASE-2026-7' })).toEqual(set);
    expect(await events(userId)).toMatchObject([{ action: 'legal-hold.placed', before: null, after: { legalHold } }]);

    expect((await call('DELETE', '/users/me')).body).toMatchObject({ status: 'requested', erasesAt: null });
    await stand.endAccess(userId);
    expect((await signIn()).status).toBe(401);
    await stand.run('erase-accounts');
    expect(await stand.read('Users', { userId })).toHaveProperty('email');
    expect((await admin('GET', `/users/${userId}/erasure`)).body).toMatchObject({ status: 'held', erasedAt: null });

    const lifted = await admin('DELETE', hold(userId));
    expect(lifted).toMatchObject({ status: 200, body: { status: 'requested', legalHold: null } });
    expect(await admin('DELETE', hold(userId))).toEqual(lifted);
    expect((await events(userId)).map(({ action }) => action)).toEqual(['legal-hold.placed', 'legal-hold.lifted']);
    await stand.run('erase-accounts');
    expect(await stand.read('Users', { userId })).not.toHaveProperty('email');
  });

  test('a hold that is placed between the check and the commit stops the erasure', async () => {
    const { userId, call } = await stand.person();
    await call('GET', '/users/me');
    await call('DELETE', '/users/me');
    await stand.endAccess(userId);
    let isPlaced = false;
    stand.faults.dynamo = async ({ action, input }) => {
      const wanted = [userId, '"pending":{"S":"erasure"}'];
      if (isPlaced || action !== 'TransactWriteItems') return undefined;
      if (!wanted.every((text) => JSON.stringify(input).includes(text))) return undefined;
      isPlaced = true;
      // Only the hold: a state that has changed would refuse the beginning by its revision.
      await stand.put('LegalHolds', { userId, since: '2026-01-01T00:00:00.000Z', by: 'admin', reason: 'CASE-2026-6' });
      return undefined;
    };
    expect(await stand.run('erase-accounts')).toMatchObject({ ok: false });
    expect(isPlaced).toBe(true);
    expect(stand.log.join()).toContain('HoldStands');
    expect(await stand.read('Erasures', erasureKeyOf(userId))).toMatchObject({ begunAt: null, pending: null });
    expect(await stand.read('Users', { userId })).toHaveProperty('email');
    await stand.remove('LegalHolds', { userId });
    delete stand.faults.dynamo;
    await stand.run('erase-accounts');
  });

  test('a hold after the erasure keeps the records', async () => {
    const { userId, call } = await stand.person();
    await call('POST', '/agreements/versions/marketing-1.0/agree');
    await call('DELETE', '/users/me');
    await stand.endAccess(userId);
    await stand.run('erase-accounts');
    const admin = await stand.admin();
    await admin('PUT', hold(userId), { reason: 'CASE-2026-8' });
    await stand.travel(11);
    await stand.run('release-consents');
    expect((await admin('GET', `/users/${userId}/erasure`)).body).toMatchObject({ status: 'held', releasedAt: null });
    await admin('DELETE', hold(userId));
    await stand.run('release-consents');
    await stand.travel(0);
    expect((await admin('GET', `/users/${userId}/erasure`)).body.status).toBe('released');
  });

  test('a user without an erasure or a hold', async () => {
    const { userId, call } = await stand.person();
    await call('GET', '/users/me');
    const admin = await stand.admin();
    const state = await admin('GET', `/users/${userId}/erasure`);
    expect(state).toMatchObject({ status: 200, body: { userId, status: 'none', requestedAt: null, legalHold: null } });
    expect(await admin('DELETE', hold(userId))).toEqual(state);
    expect(await events(userId)).toEqual([]);
  });

  test('a user who has only records', async () => {
    const { userId, call } = await stand.person();
    await call('POST', '/agreements/versions/marketing-1.0/agree');
    const admin = await stand.admin();
    expect(await admin('PUT', hold(userId), { reason: 'CASE-2026-9' })).toMatchObject({ status: 200 });
    expect((await call('DELETE', '/users/me')).body.erasesAt).toBe(null);
  });
});

describe('400', () => {
  test.each([
    ['no body', undefined],
    ['no reason', {}],
    ['a blank reason', { reason: '  ' }],
    ['a long reason', { reason: `CASE-2026-${'1'.repeat(9)}` }],
    ['a name', { reason: 'Dispute of Erika Mustermann' }],
    ['text behind the reference', { reason: 'CASE-2026-7\nErika' }],
  ])('%s', async (_name, body) => {
    const admin = await stand.admin();
    const { status, body: said } = await admin('PUT', hold(randomUUID()), body);
    expect([status, said.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('404', () => {
  test.each(['GET', 'PUT', 'DELETE'])('%s of an unknown user', async (method) => {
    const admin = await stand.admin();
    for (const userId of [randomUUID(), 'email%23x']) {
      const path = method === 'GET' ? `/users/${userId}/erasure` : hold(userId);
      const { status, body } = await admin(method, path, method === 'PUT' ? { reason: 'CASE-2026-1' } : undefined);
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });
});

test('401 and 403', async () => {
  expect((await stand.call('DELETE', '/users/me')).status).toBe(401);
  const agent = stand.as(await stand.tokenOf('agent', 'medinfo'), 'medinfo');
  expect((await agent('PUT', hold(randomUUID()), { reason: 'CASE-2026-1' })).status).toBe(403);
});
