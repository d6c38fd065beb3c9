import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { replayErasures } from '../../functions/erasure/jobs/replay-erasures.ts';
import { dueKeyOf } from '../../functions/erasure/rules/due.ts';
import { erasureKeyOf, nothing } from '../../functions/erasure/rules/erasure.ts';
import { logNameOf } from '../../functions/erasure/rules/replayed.ts';
import { checkEvidence } from '../../functions/erasure/workflows/check-evidence.ts';
import { accountPart, guardCount, guardKey } from '../../lib/contract/accounts.ts';
import type { Application } from '../../lib/contract/register.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { attackedStage } from './attacked-stage.ts';
import { ago, erasuresOf, stateOf } from './erasures.ts';

/** States that functions planted which may write them: without a form, beyond all counting, or before their user asks. */

const attacked = attackedStage();
const { lay, read, remove, replayPlace } = erasuresOf(attacked);
const dayMs = 86_400_000;
const far = '9999-01-01T00:00:00.000Z';

test('a state that has no form of one decides nothing: its user is answered 500, and the others’ erasures go on', async () => {
  const [userId, other] = [randomUUID(), randomUUID()];
  const TableName = attacked.table('Erasures');
  const at = ago(60_000);
  const rows = [
    ...[{ revision: 'many' }, { revision: 0 }, { revision: Number.MAX_SAFE_INTEGER }],
    ...[{ requestedAt: 'yesterday' }, { ends: 'x' }, { legalHold: { since: at } }],
  ];
  const { revision: _none, ...unnumbered } = stateOf(userId, at, {});
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  for (const state of [unnumbered, ...rows.map((change) => ({ ...stateOf(userId, at, {}), ...change }))]) {
    const Item = { ...state, ...erasureKeyOf(userId) };
    const due = { ...dueKeyOf(stateOf(userId, at, {})), userId };
    const TransactItems = [Item, due].map((one) => ({ Put: { TableName, Item: one } }));
    await attacked.as('set-legal-hold', 'medinfo').dynamo.send(new TransactWriteCommand({ TransactItems }));
    attacked.log.length = 0;
    for (const [method, path] of [
      ['GET', '/users/me/erasure'],
      ['POST', '/users/me/restore'],
      ['DELETE', '/users/me'],
    ] as const) {
      expect(await call(method, path), `${method} ${path}`).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    }
    expect(attacked.log.join()).toContain('ErasureMalformed');
  }
  const neighbour = await attacked.caller(other);
  await neighbour('GET', '/users/me');
  const { body: asked } = await neighbour('DELETE', '/users/me');
  attacked.log.length = 0;
  const run = await attacked
    .stage()
    .runSchedule('erase-accounts')
    .catch((error: unknown) => error);
  expect(JSON.stringify([run, attacked.log])).toContain('ErasureMalformed');
  expect(await read('Erasures', erasureKeyOf(other))).toMatchObject({
    requestedAt: asked.requestedAt,
    witnessedAt: expect.any(String),
  });
  expect(await read('Users', { userId })).toHaveProperty('createdAt');
  // The replay leaves the user out, and says so; the others' go on.
  await lay(attacked.as('release-consents'), `erasures/${userId}/${logNameOf(stateOf(userId, at, {}))}.json`, {
    ...stateOf(userId, at, {}),
  });
  const { failed } = await replayErasures(replayPlace());
  expect(failed).toMatchObject([{ userId, error: { name: 'ErasureMalformed' } }]);
  // An operator removes it: nobody had asked for anything, and the user's own request is made.
  for (const Key of [erasureKeyOf(userId), dueKeyOf(stateOf(userId, at, {})) ?? {}]) await remove('Erasures', Key);
  expect((await call('GET', '/users/me/erasure')).body.status).toBe('none');
  expect((await call('DELETE', '/users/me')).status).toBe(200);
});

test('when the row without a form is removed, a replay makes what the user had asked for stand again', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  const { body: asked } = await call('DELETE', '/users/me');
  const planted = { ...(await read('Erasures', erasureKeyOf(userId))), ends: 'x' };
  const TransactItems = [{ Put: { TableName: attacked.table('Erasures'), Item: planted } }];
  await attacked.as('set-legal-hold', 'medinfo').dynamo.send(new TransactWriteCommand({ TransactItems }));
  expect((await call('GET', '/users/me/erasure')).status).toBe(500);
  await remove('Erasures', erasureKeyOf(userId));
  expect((await replayErasures(replayPlace())).failed).toEqual([]);
  expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ requestedAt: asked.requestedAt });
});

test('a state in the log that cannot be counted on is left out, and ends the replay for nobody', async () => {
  const [first, userId] = [`0-${randomUUID()}`, `1-${randomUUID()}`];
  const attacker = attacked.as('release-consents');
  for (const revision of [Number.MAX_SAFE_INTEGER, 1_000_000_000]) {
    const planted = { ...nothing(first), revision, application: 'sleepcare' };
    await lay(attacker, `erasures/${first}/${logNameOf(planted)}.json`, planted);
  }
  const state = { ...nothing(userId), revision: 1, application: 'sleepcare' };
  await lay(attacker, `erasures/${userId}/${logNameOf(state)}.json`, state);
  const { failed, ignored } = await replayErasures(replayPlace());
  expect([failed, ignored]).toEqual([[], 1]);
  expect(await read('Erasures', erasureKeyOf(first))).toMatchObject({ revision: 100_000_001 });
  expect(await read('Erasures', erasureKeyOf(userId))).toMatchObject({ userId });
});

test('a state that was planted before its user asks does not swallow the request', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  const at = ago(0);
  const planted = stateOf(userId, at, { graceEndsAt: far, closingAt: null, closedAt: null, accessEndsAt: null });
  const TransactItems = [
    { Put: { TableName: attacked.table('Erasures'), Item: { ...planted, ...erasureKeyOf(userId) } } },
  ];
  await attacked.as('set-legal-hold', 'medinfo').dynamo.send(new TransactWriteCommand({ TransactItems }));
  const { status, body: asked } = await call('DELETE', '/users/me');
  expect(status).toBe(200);
  expect(asked.requestedAt > at).toBe(true);
  expect(asked.restorableUntil).not.toBe(far);
  // Where it is not carried out, it is found, by prod's rules as well.
  for (const graceMs of [0, 7 * dayMs]) {
    const { findings } = await checkEvidence({
      bucket: { s3: attacked.owner().s3, bucket: attacked.bucket() },
      isHeld: async () => false,
      isEnforced: async () => true,
      hasReleaseOrHold: async () => true,
      ...{ graceMs, dueMs: 7 * dayMs, now: new Date(Date.now() + 60 * dayMs), hasTime: () => true },
    });
    expect(findings).toContain(`never-taken-up: user ${hashOfUser(userId)}, request of ${asked.requestedAt}`);
  }
  await attacked.stage().runSchedule('erase-accounts');
  expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).body.code).toBe('ACCOUNT_CLOSED');
});

function actionsOfPools(operation: string, application: Application): string[] {
  const { functions, principals } = attacked.stage().model();
  const fn = functions.find((one) => one.operation === operation && one.environment.APPLICATION === application);
  const statements = principals.find(({ arn }) => arn === fn?.roleArn)?.statements ?? [];
  return statements.flatMap(({ Action = [] }) => Action).filter((action) => action.startsWith('cognito-idp:'));
}

test('the role of a request cannot hide it: nothing is written for its user, who can take it back', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  const [erasures, accounts] = [attacked.table('Erasures'), attacked.table('Accounts')];
  const put = (TableName: string, Item: object) => ({ Put: { TableName, Item } });
  const at = ago(1000);
  const graceEndsAt = ago(-dayMs);
  const open = { closingAt: null, closedAt: null, accessEndsAt: null };
  const planted = stateOf(userId, at, { witnessedAt: null, graceEndsAt, ...open });
  const due = { ...dueKeyOf(planted), userId };
  const attacker = attacked.as('request-erasure');
  await lay(attacker, `erasure-requests/${userId}/${at}.json`, { graceEndsAt });
  const rows = [put(erasures, { ...planted, ...erasureKeyOf(userId) }), put(erasures, due)];
  await attacker.dynamo.send(new TransactWriteCommand({ TransactItems: rows }));
  await attacked.stage().runSchedule('erase-accounts');
  const agree = () => call('POST', '/agreements/versions/marketing-1.0/agree');
  expect((await agree()).body.code).toBe('ACCOUNT_CLOSED');
  const finding = `not-standing: user ${hashOfUser(userId)}, request of ${at}`;
  const isFound = async () => {
    attacked.told.length = 0;
    await attacked.stage().runSchedule('check-erasures');
    return attacked.told.join().includes(finding);
  };
  expect(await isFound()).toBe(false);

  const guards = Array.from({ length: guardCount }, (_, number) => guardKey(userId, number));
  const gone = [...guards, { userId, part: accountPart }].map((Key) => ({ Delete: { TableName: accounts, Key } }));
  for (const [operation, application] of [
    ['request-erasure', 'sleepcare'],
    ['request-erasure', 'medinfo'],
    ['request-erasure-of', 'medinfo'],
  ] as const) {
    const { dynamo } = attacked.as(operation, application);
    for (const Delete of gone) {
      await expect(dynamo.send(new TransactWriteCommand({ TransactItems: [Delete] }))).rejects.toThrow(
        'not authorized',
      );
    }
    // Nor that the user cannot sign in.
    expect(actionsOfPools(operation, application)).toEqual(['cognito-idp:AdminUserGlobalSignOut']);
  }
  // What it may write: the state of a user who asked for nothing, and an account that says that it is open.
  const before = { ...nothing(userId), revision: 200, application: 'sleepcare', ...erasureKeyOf(userId) };
  const opened = put(accounts, { userId, part: accountPart, isClosed: false, ends: [] });
  await attacker.dynamo.send(new TransactWriteCommand({ TransactItems: [put(erasures, before), opened] }));
  // Each write chooses one guard of all.
  for (const _ of guards) expect((await agree()).body.code).toBe('ACCOUNT_CLOSED');
  expect(await isFound()).toBe(true);
  expect((await call('POST', '/users/me/restore')).status).toBe(200);
  for (const _ of guards) expect((await agree()).status).toBe(200);
  expect(await isFound()).toBe(false);
});

test.each([null, '2020-01-01T00:00:00.000Z'])(
  'nor does a request that its user once took back open the account (a request of %s)',
  async (named) => {
    const userId = randomUUID();
    const call = await attacked.caller(userId);
    await call('GET', '/users/me');
    const { requestedAt } = (await call('DELETE', '/users/me')).body;
    await attacked.stage().runSchedule('erase-accounts');
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    const attacker = attacked.as('request-erasure');
    const at = named ?? new Date().toISOString();
    const open = { closingAt: null, closedAt: null, accessEndsAt: null };
    const plant = async (request: string) => {
      const state = stateOf(userId, request, { witnessedAt: null, graceEndsAt: ago(-dayMs), ...open });
      const items = [
        { ...state, ...erasureKeyOf(userId) },
        { ...dueKeyOf(state), userId },
      ];
      const TransactItems = items.map((Item) => ({ Put: { TableName: attacked.table('Erasures'), Item } }));
      await attacker.dynamo.send(new TransactWriteCommand({ TransactItems }));
      attacked.log.length = 0;
      await attacked
        .stage()
        .runSchedule('erase-accounts')
        .catch(() => null);
    };
    await lay(attacker, `erasure-requests/${userId}/${at}.json`, { graceEndsAt: ago(-dayMs) });
    const agree = () => call('POST', '/agreements/versions/marketing-1.0/agree');
    await plant(at);
    expect((await agree()).body.code).toBe('ACCOUNT_CLOSED');
    await plant(requestedAt);
    expect(attacked.log.join()).toContain('NotAsked');
    expect((await agree()).body.code).toBe('ACCOUNT_CLOSED');
    expect((await call('POST', '/users/me/restore')).status).toBe(200);
    expect((await agree()).status).toBe(200);
  },
);

const agree = '/agreements/versions/marketing-1.0/agree';
const accountOf = (userId: string) => read('Accounts', { userId, part: accountPart });

/** A user whose account was closed, and then opened. @returns the time at which the consent ended */
async function restoredUser() {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  await call('POST', agree);
  const { endedAt } = (await call('DELETE', '/users/me')).body;
  expect((await call('POST', '/users/me/restore')).status).toBe(200);
  expect(await accountOf(userId)).toMatchObject({ isClosed: false, ends: [endedAt] });
  return { userId, call, endedAt };
}

test.each(['no row', 'no end', 'a request that nobody made'])(
  'consents that ended stay ended when the account is opened again with a state that has %s',
  async (kind) => {
    const { userId, call, endedAt } = await restoredUser();
    await remove('Erasures', erasureKeyOf(userId));
    const at = ago(0);
    // With the time of the earlier end, so that the end seems to go with this request.
    const asked = { requestedAt: at, endedAt, settledAt: at, signedOutAt: at, graceEndsAt: at };
    const state = { ...nothing(userId), revision: 9, application: 'sleepcare', ...(kind !== 'no end' && asked) };
    const TransactItems = [
      { Put: { TableName: attacked.table('Erasures'), Item: { ...state, ...erasureKeyOf(userId) } } },
    ];
    if (kind !== 'no row')
      await attacked.as('set-legal-hold', 'medinfo').dynamo.send(new TransactWriteCommand({ TransactItems }));
    for (const _ of ['first', 'repeated']) {
      expect((await call('POST', '/users/me/restore')).status).toBe(200);
      expect(await accountOf(userId)).toMatchObject({ isClosed: false, ends: [endedAt] });
      expect((await call('GET', '/users/agreements/marketing/state')).body).toMatchObject({ agreed: false, endedAt });
    }
    expect((await call('POST', agree)).status).toBe(200);
    expect((await call('GET', '/users/agreements/marketing/state')).body).toMatchObject({ agreed: true });
  },
);

test('a user without any row of a state gets a closed account back', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  const end = ago(1000);
  const closed = [...Array(guardCount).keys()].map((number) => guardKey(userId, number));
  const account = { userId, part: accountPart, isClosed: true, ends: [end, far] };
  const TransactItems = [account, ...closed].map((Item) => ({ Put: { TableName: attacked.table('Accounts'), Item } }));
  await attacked.as('request-erasure').dynamo.send(new TransactWriteCommand({ TransactItems }));
  expect((await call('POST', agree)).body.code).toBe('ACCOUNT_CLOSED');
  expect((await call('POST', '/users/me/restore')).status).toBe(200);
  // An end in the future was planted: no consent would ever count.
  expect(await accountOf(userId)).toMatchObject({ isClosed: false, ends: [end] });
  expect((await call('POST', agree)).status).toBe(200);
  expect((await call('GET', '/users/agreements/marketing/state')).body).toMatchObject({ agreed: true });
});
