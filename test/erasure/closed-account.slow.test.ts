import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { operations, tables } from '../../functions/domains.ts';
import { applications, roleScopes } from '../../functions/product.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import { isHeld } from '../../lib/contract/permissions.ts';
import type { Application } from '../../lib/contract/register.ts';
import { rolesOf } from '../../lib/contract/roles.ts';
import { asksForAccount, authOf, isMetered } from '../../lib/contract/route.ts';
import { credentialsOf } from '../../lib/local/credentials.ts';
import { functionName } from '../../lib/stack/names.ts';
import { type Answer, tokenAt } from '../caller-at.ts';
import { writtenOwnWrites } from '../own-writes.ts';
import { erasureStage } from './stage.ts';

/** After the request to delete an account nothing is written for its user, whatever was running. */

const stand = erasureStage();
const ownWrites = await writtenOwnWrites();
const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };

/**
 * All rows that name a user, except those that the closing writes: that the account is closed, and its sessions ended. It waits until the streams are idle: writes
 * before the end are counted a while later.
 */
async function rowsOf(userId: string) {
  await stand.stage().idle();
  const found: Record<string, unknown>[] = [];
  for (const { name } of tables.filter((table) => !['Accounts', 'Erasures', 'EndedSessions'].includes(table.name))) {
    const scan = new ScanCommand({ TableName: stand.stage().data.tables(name), ConsistentRead: true });
    const { Items = [] } = await stand.data().send(scan);
    // The closing itself ends the sessions.
    const rows = name === 'Sessions' ? Items.map(({ endedAt: _at, endedBy: _by, ...row }) => row) : Items;
    found.push(...rows.filter((row) => JSON.stringify(row).includes(userId)));
  }
  return found;
}

/** The endpoint was deleted before the refused write, and SNS reports that. */
const withoutEndpoint = (row: Record<string, unknown>) => ('platform' in row ? { ...row, status: 'disabled' } : row);

const keysOf = (operation: string) =>
  stand
    .stage()
    .model()
    .functions.filter((fn) => fn.operation === functionName(operation))
    .map((fn) => credentialsOf(fn).accessKeyId);

/** Holds the first transaction that a function writes for a user until the account is closed. */
function closeBefore(operation: string, userId: string, close: () => Promise<unknown>) {
  const keys = keysOf(operation);
  let closing: Promise<unknown> | undefined;
  stand.faults.dynamo = async ({ action, input, accessKeyId }) => {
    const isIt = action === 'TransactWriteItems' && keys.includes(accessKeyId);
    if (!isIt || !JSON.stringify(input).includes(userId)) return undefined;
    closing ??= close();
    await closing;
    return undefined;
  };
  return () => closing;
}

/** Holds those of a user's transactions whose bit is set until the account is closed. The closing's own transaction goes on. */
function holdSome(bits: number, userId: string, closed: Promise<unknown>) {
  const closing = keysOf('requestErasure');
  let number = 0;
  stand.faults.dynamo = async ({ action, input, accessKeyId }) => {
    if (action !== 'TransactWriteItems' || closing.includes(accessKeyId)) return undefined;
    if (!JSON.stringify(input).includes(userId)) return undefined;
    const isHeld = (bits >> number) & 1;
    number += 1;
    if (isHeld) await closed;
    return undefined;
  };
}

describe('closed between the look at the account and the write', () => {
  test.each(Object.entries(ownWrites))('%s', async (id, prepare) => {
    const someone = await stand.person();
    const { userId, call } = someone;
    const send = await prepare(someone, await stand.admin());
    const before = await rowsOf(userId);
    let endings: unknown;
    const closed = closeBefore(id, userId, async () => {
      const answer = await call('DELETE', '/users/me');
      endings = await stand.read('EndedSessions', { userId });
      return answer;
    });
    const { status, body } = await send();
    expect(await closed()).toMatchObject({ status: 200 });
    expect([status, body.code]).toEqual([403, 'ACCOUNT_CLOSED']);
    expect(await rowsOf(userId)).toEqual(id === 'unregisterDevice' ? before.map(withoutEndpoint) : before);
    expect(endings).toMatchObject({ userId });
    expect(await stand.read('EndedSessions', { userId })).toEqual(endings);
  });

  test('a message of staff gets the same answer as for an unknown user', async () => {
    const { userId, call } = await stand.person();
    await call('GET', '/users/me');
    const admin = await stand.admin();
    const closed = closeBefore('postMessage', userId, () => call('DELETE', '/users/me'));
    const { status, body } = await admin('POST', `/users/${userId}/agent-board/messages`, { title: 'T', body: 'B' });
    expect(await closed()).toMatchObject({ status: 200 });
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
    expect(await stand.rows('AgentBoardMessages', 'userId', userId)).toEqual([]);
  });

  test('the first request of a user makes no profile', async () => {
    const { userId, email, call } = await stand.person();
    const closed = closeBefore('readProfile', userId, () => call('DELETE', '/users/me'));
    expect(await call('GET', '/users/me')).toMatchObject({ status: 200, body: { userId, email } });
    expect(await closed()).toMatchObject({ status: 200 });
    expect(await stand.read('Users', { userId })).toBe(undefined);
  });
});

describe('raced', () => {
  async function race(round: number) {
    const { userId, call: first } = await stand.person();
    await first('GET', '/users/me');
    // The closing would refuse the first session at once, before the look at the account.
    const call = await stand.signedInAnew(userId);
    const device = { ...phone, token: randomUUID() };
    const writes = [
      () => call('POST', '/agreements/versions/marketing-1.0/agree'),
      () => call('POST', '/agreements/versions/research-data-1.0/agree'),
      () => call('DELETE', '/users/agreements/marketing/consent'),
      () => call('PUT', '/users/me/devices/phone', device),
      () => call('PATCH', '/users/me', { timezone: 'Europe/Berlin' }),
      () => call('POST', '/agreements/versions/marketing-1.0/agree'),
    ];
    // Each round asks for the deletion at another place among the writes, and holds some of the writes until it is
    // answered.
    const at = round % (writes.length + 1);
    const closing = Promise.withResolvers<Pick<Answer, 'status' | 'body'>>();
    holdSome(round * 37, userId, closing.promise);
    const answers = await Promise.all(
      writes
        .toSpliced(at, 0, async () => {
          const answer = await call('DELETE', '/users/me');
          closing.resolve(answer);
          return answer;
        })
        .map((send) => send()),
    );
    const [closed] = answers.splice(at, 1);
    expect(closed?.status).toBe(200);
    delete stand.faults.dynamo;
    return { userId, call, answers, endedAt: closed?.body.endedAt ?? '' };
  }

  test('no record is later than the end, every answered write is ended, and the rest is refused', async () => {
    const seen = { written: 0, refused: 0 };
    for (let round = 0; round < 14; round += 1) {
      const { userId, call, answers, endedAt } = await race(round);
      for (const { status, body } of answers) {
        if (status === 200) seen.written += 1;
        else expect(['ACCOUNT_CLOSED', 'UNAVAILABLE']).toContain(body.code);
        if (status === 403) seen.refused += 1;
        for (const time of ['agreedAt', 'revokedAt', 'renewedAt']) expect((body[time] ?? '') <= endedAt).toBe(true);
      }
      const { items } = (await call('GET', '/users/agreements')).body;
      for (const agreementId of ['marketing', 'research-data']) {
        const item = items.find((each: { agreementId: string }) => each.agreementId === agreementId);
        const { body: state } = await call('GET', `/users/agreements/${agreementId}/state`);
        const { body: history } = await call('GET', `/users/agreements/${agreementId}/history`);
        const record = history.items[0] ?? null;
        // An agreement without a consent has no end.
        const ended = { agreed: false, endedAt: record && endedAt };
        expect(item).toMatchObject({ ...ended, agreedAt: null });
        expect(state).toMatchObject({ ...ended, record });
        expect(history.metadata.ends).toEqual([endedAt]);
        for (const { recordedAt } of history.items) expect(recordedAt <= endedAt).toBe(true);
      }
      for (const { renewedAt } of await stand.rows('Devices', 'userId', userId)) {
        expect(String(renewedAt) <= endedAt).toBe(true);
      }
      const rows = await rowsOf(userId);
      expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).body.code).toBe('ACCOUNT_CLOSED');
      expect(await rowsOf(userId)).toEqual(rows);
    }
    // Both outcomes of the race occurred.
    expect(Math.min(seen.written, seen.refused)).toBeGreaterThan(0);
  });
});

describe('every route of a caller', () => {
  const tokens = new Map<string, Promise<string>>();
  /** Somebody whose account is closed, in every role. */
  function tokenOf(application: Application, client: string): Promise<string> {
    const making = async () => {
      const roles = rolesOf(roleScopes, application, 'dev').join(',');
      const token = await tokenAt(stand.stage(), { roles, application, client });
      const userId = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub as string;
      await stand.put('Accounts', { userId, part: accountPart, isClosed: true, ends: [new Date().toISOString()] });
      return token;
    };
    const key = `${application} ${client}`;
    const token = tokens.get(key) ?? making();
    tokens.set(key, token);
    return token;
  }

  const named = operations.filter(({ route }) => authOf(route) !== 'public');
  const refusing = named.filter(({ route }) => asksForAccount(route));

  test('answers a closed account, or refuses it', () => {
    const answering = named.filter((operation) => !refusing.includes(operation));
    expect(answering.map(({ route }) => `${route.method} ${route.path}`).toSorted()).toEqual([
      'DELETE /users/me',
      'GET /iam/roles',
      'GET /iam/users/me/permissions',
      'GET /users/agreements',
      'GET /users/agreements/{agreementId}/history',
      'GET /users/agreements/{agreementId}/state',
      'GET /users/me',
      'GET /users/me/access-log',
      'GET /users/me/erasure',
      'GET /users/me/exports',
      'GET /users/me/exports/{exportId}',
      'GET /users/me/sign-ins',
      'POST /questionnaires/imports',
      'POST /questionnaires/simulate',
      'POST /users/me/exports',
      'POST /users/me/restore',
    ]);
  });

  const attempts = refusing.flatMap(({ route }) =>
    applications
      .filter((application) => route.applications.includes(application))
      .map((application) => ({ name: `${route.method} ${route.path} of ${application}`, route, application })),
  );
  test.each(attempts)('$name', async ({ route, application }) => {
    const { auth } = route;
    const tool =
      auth !== 'public' && isHeld(auth, { roles: ['integration'], application }) ? 'integration' : 'developer-tools';
    const client = isMetered(route) ? tool : 'mobile-app';
    const token = await tokenOf(application, client);
    const answer = await stand.call(route.method, route.path.replace(/\{\w+\}/g, 'x'), { token, application });
    expect([answer.status, answer.body.code]).toEqual([403, 'ACCOUNT_CLOSED']);
  });
});
