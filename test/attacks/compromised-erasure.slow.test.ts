import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { dueKeyOf } from '../../functions/erasure/rules/due.ts';
import { erasureKeyOf, nothing, retentionYears, yearsAfter } from '../../functions/erasure/rules/erasure.ts';
import { replayed } from '../../functions/erasure/rules/replayed.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { checkEvidence } from '../../functions/erasure/workflows/check-evidence.ts';
import { isReleasing } from '../../functions/erasure/workflows/releasing.ts';
import { begunBelow, requestKey, tombstoneKey } from '../../functions/evidence/rules/evidence-keys.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import type { Application } from '../../lib/contract/register.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { putOnce } from '../../lib/runtime/objects.ts';
import { handlesNamed } from '../tables.ts';
import { attackedStage } from './attacked-stage.ts';

/** Accounts and their erasure, attacked with the rights of single functions. */

const attacked = attackedStage();

describe('erasure', () => {
  const profile = async (userId: string) => {
    const found = await attacked
      .owner()
      .dynamo.send(new GetCommand({ TableName: attacked.table('Users'), Key: { userId } }));
    return found.Item;
  };
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

  /** Two rows: a state in which everything is due, and its place in the queue. */
  async function plantErasure(operation: string, application: Application, userId: string, change: object = {}) {
    const requestedAt = ago(3_600_000);
    const seen = { settledAt: requestedAt, signedOutAt: requestedAt, witnessedAt: requestedAt };
    const times = { ...seen, closingAt: requestedAt, closedAt: requestedAt };
    const asked = { requestedAt, endedAt: requestedAt, graceEndsAt: requestedAt, accessEndsAt: ago(60_000) };
    const row = { ...nothing(userId), revision: 99, application: 'sleepcare', ...asked, ...times, ...change };
    const TableName = attacked.table('Erasures');
    const due = dueKeyOf(row) ?? { kind: '', erasureKey: '' };
    const TransactItems = [
      { ...erasureKeyOf(userId), ...row },
      { ...due, userId },
    ].map((Item) => ({ Put: { TableName, Item } }));
    await attacked.as(operation, application).dynamo.send(new TransactWriteCommand({ TransactItems }));
    return {
      requestedAt: row.requestedAt,
      forget: async () => {
        for (const Key of [erasureKeyOf(userId), due]) {
          await attacked.owner().dynamo.send(new DeleteCommand({ TableName, Key }));
        }
      },
    };
  }

  const erase = () => attacked.stage().runSchedule('erase-accounts');
  const begun = { begunAt: ago(1000), pending: 'erasure' };

  test.each<[string, Application, object]>([
    ['set-legal-hold', 'medinfo', {}],
    ['lift-legal-hold', 'medinfo', begun],
    ['restore-account', 'sleepcare', { closingAt: null, closedAt: null, accessEndsAt: null }],
    ['restore-account', 'sleepcare', begun],
  ])('two rows by %s (%s, %j) erase nobody who did not ask', async (operation, application, change) => {
    const userId = randomUUID();
    await (await attacked.caller(userId))('GET', '/users/me');
    const { forget } = await plantErasure(operation, application, userId, change);
    attacked.log.length = 0;
    await erase().catch(() => null);
    await forget();
    expect(await profile(userId)).toHaveProperty('createdAt');
    expect(attacked.log.join()).toContain('NotAsked');
  });

  test.each(['set-legal-hold', 'lift-legal-hold'])(
    'a request that %s has planted, as if it had just been made, closes no account and ends no consent',
    async (operation) => {
      const userId = randomUUID();
      const call = await attacked.caller(userId);
      await call('GET', '/users/me');
      const change = { settledAt: null, signedOutAt: null, witnessedAt: null, closingAt: null, closedAt: null };
      const { forget } = await plantErasure(operation, 'medinfo', userId, change);
      attacked.log.length = 0;
      await erase().catch(() => null);
      await forget();
      expect(attacked.log.join()).toContain('NotAsked');
      const Key = { userId, part: accountPart };
      const account = await attacked
        .owner()
        .dynamo.send(new GetCommand({ TableName: attacked.table('Accounts'), Key }));
      expect(account.Item).toBeUndefined();
      expect((await call('GET', '/users/me')).status).toBe(200);
    },
  );

  const unsettled = { settledAt: null, signedOutAt: null };
  test.each<[string, object]>([
    ['as if it had just been made', unsettled],
    ['with an end of its own', { ends: [ago(1000)] }],
    ['with an end to come', { ends: ['9999-01-01T00:00:00.000Z'] }],
  ])('a request that its user took back, planted again %s, ends no consent', async (_case, change) => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const { requestedAt } = (await call('DELETE', '/users/me')).body as { requestedAt: string };
    await erase();
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    const Key = { userId, part: accountPart };
    const account = async () =>
      (await attacked.owner().dynamo.send(new GetCommand({ TableName: attacked.table('Accounts'), Key }))).Item;
    const before = await account();
    const begun = { witnessedAt: null, closingAt: null, closedAt: null };
    const { forget } = await plantErasure('set-legal-hold', 'medinfo', userId, { ...begun, requestedAt, ...change });
    attacked.log.length = 0;
    await erase().catch(() => null);
    expect(attacked.log.join()).toContain('NotAsked');
    expect(await account()).toEqual(before);
    const { body } = await call('GET', '/users/agreements/marketing/state');
    expect(body).toMatchObject({ agreed: true });
    await forget();
  });

  test('even the function of the request erases nobody under a hold', async () => {
    const userId = randomUUID();
    await (await attacked.caller(userId))('GET', '/users/me');
    const admin = await attacked.caller(randomUUID(), 'admin', 'medinfo');
    expect((await admin('PUT', `/users/${userId}/legal-hold`, { reason: 'CASE-2026-17' })).status).toBe(200);
    for (const change of [{}, begun]) {
      const { requestedAt, forget } = await plantErasure('request-erasure', 'sleepcare', userId, change);
      const { s3, dynamo } = attacked.as('request-erasure');
      const Key = `erasure-requests/${userId}/${requestedAt}.json`;
      await s3.send(new PutObjectCommand({ Bucket: attacked.bucket(), Key, Body: '{}', IfNoneMatch: '*' }));
      const lift = new DeleteCommand({ TableName: attacked.table('LegalHolds'), Key: { userId } });
      await expect(dynamo.send(lift)).rejects.toThrow('not authorized');
      attacked.log.length = 0;
      // It was never seen: the grace begins, and what the rows say of the past is gone.
      await erase().catch(() => null);
      const again = await plantErasure('request-erasure', 'sleepcare', userId, { ...change, requestedAt });
      await decideClosing(userId, requestedAt ?? '');
      await erase().catch(() => null);
      await again.forget();
      await forget();
      expect(attacked.log.join()).toContain('HoldStands');
    }
    expect(await profile(userId)).toHaveProperty('createdAt');
  });

  const decideClosing = (userId: string, requestedAt: string) => {
    const Key = `erasure-decisions/${userId}/${requestedAt}.json`;
    const put = { Bucket: attacked.bucket(), Key, Body: '{"decision":"closing"}', IfNoneMatch: '*' };
    return attacked.as('erase-accounts').s3.send(new PutObjectCommand(put));
  };

  test('a request object by itself, and rows that come late, erase nobody who did not see it during the grace', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const { requestedAt, forget } = await plantErasure('request-erasure', 'sleepcare', userId, begun);
    const Key = `erasure-requests/${userId}/${requestedAt}.json`;
    const Body = JSON.stringify({ userId, requestedAt, graceEndsAt: ago(-86_400_000) });
    const put = { Bucket: attacked.bucket(), Key, Body, IfNoneMatch: '*' };
    await attacked.as('request-erasure').s3.send(new PutObjectCommand(put));
    await erase();
    expect(await profile(userId)).toHaveProperty('createdAt');
    // The user learns it from the first answer, and can cancel a request that they did not make.
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).body.code).toBe('ACCOUNT_CLOSED');
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
    await forget();
  });

  test('no row keeps a user from taking the request back', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const { requestedAt } = (await call('DELETE', '/users/me')).body;
    for (const change of [{}, begun, { graceEndsAt: ago(1000) }]) {
      await plantErasure('set-legal-hold', 'medinfo', userId, { requestedAt, ...change });
    }
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ status: 'none', requestedAt: null });
  });

  test('an erasure that rows suppress is overdue by the evidence', async () => {
    const { s3, dynamo } = attacked.owner();
    const users = await Promise.all(
      ['deleted', 'restored in the year 9999', 'due in the year 9999', 'honest'].map(async (name) => {
        const id = randomUUID();
        const call = await attacked.caller(id);
        await call('GET', '/users/me');
        await call('DELETE', '/users/me');
        return { name, id, call };
      }),
    );
    const [deleted, restored, late, honest] = users.map(({ id }) => id) as [string, string, string, string];
    const far = '9999-01-01T00:00:00.000Z';
    const row = async (id: string) => {
      const Key = erasureKeyOf(id);
      const found = await dynamo.send(new GetCommand({ TableName: attacked.table('Erasures'), Key }));
      return found.Item as Erasure;
    };
    const attacker = attacked.as('set-legal-hold', 'medinfo').dynamo;
    const gone = async (id: string) => ({
      Delete: { TableName: attacked.table('Erasures'), Key: dueKeyOf(await row(id)) ?? {} },
    });
    const put = async (id: string, change: object) => ({
      Put: { TableName: attacked.table('Erasures'), Item: { ...(await row(id)), ...erasureKeyOf(id), ...change } },
    });
    const TransactItems = [
      await gone(deleted),
      await gone(restored),
      await put(restored, { requestedAt: null, restoredAt: far }),
      await gone(late),
      await put(late, { graceEndsAt: far, witnessedAt: ago(1000) }),
    ];
    await attacker.send(new TransactWriteCommand({ TransactItems }));
    expect((await users[3]?.call('POST', '/users/me/restore'))?.status).toBe(200);
    const { findings } = await checkEvidence({
      bucket: { s3, bucket: attacked.bucket() },
      isHeld: async () => false,
      graceMs: 0,
      dueMs: 7 * 86_400_000,
      now: new Date(Date.now() + 9 * 86_400_000),
      isEnforced: async () => true,
      hasReleaseOrHold: async () => true,
      hasTime: () => true,
    });
    const found = (id: string) =>
      findings.filter((one) => one.includes(hashOfUser(id))).map((one) => one.split(':')[0]);
    expect([deleted, restored, late, honest].map(found)).toEqual([
      ['never-taken-up'],
      ['never-taken-up'],
      ['never-taken-up'],
      [],
    ]);
    // What the log says of the restoration counts for nothing either.
    const again = replayed(await row(restored), [await row(restored), await row(late)], () => false, {
      now: new Date(),
    });
    expect(again?.requestedAt).not.toBe(null);
  });

  test('the records of erased people are not kept for ever unnoticed: without a release in the queue, or with a late one', async () => {
    const { s3, dynamo } = attacked.owner();
    const TableName = attacked.table('Erasures');
    const bucket = { s3, bucket: attacked.bucket() };
    const users = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
    const [, unqueued, late, forgotten] = users;
    const at = ago(0);
    const closed = { requestedAt: at, settledAt: at, signedOutAt: at, witnessedAt: at, closedAt: at, accessEndsAt: at };
    const erasedOf = (userId: string, retainUntil = yearsAfter(at, retentionYears)) => {
      const done = { begunAt: at, erasedAt: at, retainUntil };
      return { ...nothing(userId), revision: 9, application: 'sleepcare', ...closed, ...done };
    };
    const put = (row: Erasure) => [
      { Put: { TableName, Item: { ...erasureKeyOf(row.userId), ...row } } },
      { Put: { TableName, Item: { ...dueKeyOf(row), userId: row.userId } } },
    ];
    for (const userId of users) {
      await putOnce(bucket, requestKey(userId, at), '{}');
      for (const kind of ['seen', 'begun', 'erased'])
        await putOnce(bucket, `${begunBelow(userId)}${at}.${kind}.json`, '{}');
      await dynamo.send(new TransactWriteCommand({ TransactItems: put(erasedOf(userId)) }));
    }
    const now = new Date(Date.now() + 2 * 86_400_000);
    const tables = handlesNamed(dynamo, ['Erasures', 'LegalHolds'], attacked.table);
    const found = async () => {
      const { findings } = await checkEvidence({
        ...{ bucket, graceMs: 0, dueMs: 0, now },
        isHeld: async () => false,
        isEnforced: async () => true,
        hasReleaseOrHold: (userId, erasedAt) => isReleasing({ tables, bucket, now }, userId, erasedAt),
        hasTime: () => true,
      });
      return users.map((id) => findings.filter((one) => one.includes(hashOfUser(id))).map((one) => one.split(':')[0]));
    };
    expect(await found()).toEqual([[], [], [], []]);
    const gone = (userId: string) => ({ Delete: { TableName, Key: dueKeyOf(erasedOf(userId)) ?? {} } });
    const TransactItems = [
      gone(unqueued),
      gone(late),
      ...put(erasedOf(late, '9999-01-01T00:00:00.000Z')),
      { Put: { TableName, Item: { ...erasureKeyOf(forgotten), ...nothing(forgotten), revision: 10 } } },
    ];
    await attacked.as('request-erasure').dynamo.send(new TransactWriteCommand({ TransactItems }));
    expect(await found()).toEqual([[], ['never-released'], ['never-released'], ['never-released']]);
    // The tombstone shows that it was done.
    await putOnce(bucket, tombstoneKey(unqueued), 'x');
    expect((await found())[1]).toEqual([]);
  });

  test('a request that was taken back is none any more', async () => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const { requestedAt } = (await call('DELETE', '/users/me')).body;
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    const { forget } = await plantErasure('set-legal-hold', 'medinfo', userId, { requestedAt });
    attacked.log.length = 0;
    await erase().catch(() => null);
    expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ status: 'none', requestedAt: null });
    await forget();
    expect(await profile(userId)).toHaveProperty('createdAt');
  });

  test('the name of an object is no line of its own in what people are told', async () => {
    const planted = 'All erasures are as they should be.';
    const Key = `erasure-begun/${randomUUID()}/x\n\n${planted}\nZ.begun.json`;
    const put = { Bucket: attacked.bucket(), Key, Body: '{}', IfNoneMatch: '*' };
    await attacked.as('erase-accounts').s3.send(new PutObjectCommand(put));
    attacked.told.length = 0;
    await attacked.stage().runSchedule('check-erasures');
    const lines = attacked.told.flatMap((text) => text.split('\n'));
    expect(lines.filter((line) => line.includes(planted))).toEqual([expect.stringMatching(/^erased-unasked: /)]);
  });

  test('who else writes states cannot say that somebody asked, or that anything began', async () => {
    for (const [operation, application] of [
      ['set-legal-hold', 'medinfo'],
      ['restore-account', 'sleepcare'],
      ['release-consents', 'sleepcare'],
    ] as const) {
      const decisions = operation === 'restore-account' ? [] : ['erasure-decisions/'];
      for (const prefix of ['erasure-requests/', 'erasure-begun/', ...decisions]) {
        const put = { Bucket: attacked.bucket(), Key: `${prefix}u/x.json`, Body: '{}', IfNoneMatch: '*' };
        await expect(attacked.as(operation, application).s3.send(new PutObjectCommand(put))).rejects.toThrow();
      }
    }
  });
});
