import { NumberValue, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { endSignIns, endSignInsUnderWay, readEndings } from '../../functions/auth/stores/ended-sessions.ts';
import { endOtherSessions } from '../../functions/auth/stores/session-ends.ts';
import { beginSession, endAllSessions, markEnded, readSession } from '../../functions/auth/stores/sessions.ts';
import { endedSession, isEnded, mostEndedSessions } from '../../lib/contract/ended-sessions.ts';
import { readCaller } from '../../lib/runtime/accounts.ts';
import { localTables } from '../local-tables.ts';

/** The row that says what has ended of a user's sessions, against real tables. */

const { client, tables } = await localTables(['Sessions', 'EndedSessions', 'Accounts']);

const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
let users = 0;

async function person(...sessionIds: string[]) {
  users += 1;
  const userId = `user-${users}`;
  for (const sessionId of sessionIds) {
    const session = { userId, sessionId, username: 'u', signedInAt: now.toISOString() };
    const lifetime = { longestMinutes: 720, idleMinutes: 60 };
    const secrets = { secret: ['a secret'] as const, poolToken: 't', tokenHash: 'h' };
    await beginSession(tables.Sessions, session, { ...secrets, lifetime, now, appVersion: null, device: null });
  }
  const caller = { table: tables.Accounts, endings: tables.EndedSessions, userId };
  return {
    userId,
    end: (sessionId: string, at = now) => markEnded(tables, { userId, sessionId }, { now: at, by: 'asked' }),
    /** What a signed-in request finds. */
    isEnded: async (sessionId: string, signedInAt = seconds) =>
      isEnded((await readCaller(caller)).endings, { sessionId, signedInAt }),
  };
}

/** Names other sessions, in the place of so many ended ones. */
async function name(userId: string, count: number, until: number): Promise<void> {
  const sessions = Array.from({ length: count }, (_, number) => endedSession(`other-${number}`, until));
  await client.send(
    new UpdateCommand({
      TableName: tables.EndedSessions.name,
      Key: { userId },
      UpdateExpression: 'ADD sessions :sessions',
      ExpressionAttributeValues: { ':sessions': new Set(sessions) },
    }),
  );
}

test('a session that ends is refused, and another one goes on', async () => {
  const { end, isEnded } = await person('a', 'b');
  await end('a');
  expect([await isEnded('a'), await isEnded('b')]).toEqual([true, false]);
});

test.each([
  ['own', 0],
  ['moved', 1],
  ['unknown.key', 1],
])('a new password ends the other sessions, where the token of the first is %s', async (token, outs) => {
  const { userId, isEnded } = await person('first', 'own', 'second');
  const readSealed = async (sessionId: string) =>
    (await readSession(tables.Sessions, { userId, sessionId }))?.sealedToken;
  const sealedToken = token === 'unknown.key' ? token : await readSealed(token === 'own' ? 'first' : 'second');
  const Item = { ...(await readSession(tables.Sessions, { userId, sessionId: 'first' })), sealedToken };
  await client.send(new PutCommand({ TableName: tables.Sessions.name, Item }));
  const [revoked, signOut] = [vi.fn(async () => ({})), vi.fn(async () => undefined)];
  const userPool = { id: 'pool', clientId: 'client' };
  const deps = { tables, secret: ['a secret'] as const, cognito: { send: revoked } as never, userPool };
  // Repeated as after a crash.
  for (const time of [1, 2]) {
    await endOtherSessions(deps, { userId, sessionId: 'own' }, 'password', signOut);
    expect([await isEnded('first'), await isEnded('second')]).toEqual([true, true]);
    expect([revoked.mock.calls.length, signOut.mock.calls.length]).toEqual([(2 - outs) * time, outs * time]);
    // What the pool ends for all is over for all.
    expect(await isEnded('own', seconds - 60)).toBe(outs > 0);
  }
});

test('where the row is full, an end of all by a clock that is ahead stays', async () => {
  const { userId, end, isEnded } = await person('a');
  await endSignIns(tables.EndedSessions, userId, new Date(now.getTime() + 20_000));
  await name(userId, mostEndedSessions, seconds + 600);
  await end('a');
  expect((await readEndings(tables.EndedSessions, userId)).notBefore).toBe(seconds + 10);
  expect([await isEnded('b', seconds + 9), await isEnded('a', seconds + 11)]).toEqual([true, true]);
});

const beyondCounting = NumberValue.from('100000000000000000001');
const ofManyDigits = NumberValue.from('1.00000000000000000000000001');

test.each([
  { notBefore: 32_503_680_000, underWayUntil: 32_503_680_000_000 },
  { notBefore: beyondCounting, underWayUntil: beyondCounting },
  { notBefore: ofManyDigits, underWayUntil: ofManyDigits },
  { notBefore: 1.5, underWayUntil: NumberValue.from('0.1234567890123456789012345') },
])('a time that no honest function writes, keeps nobody out, and an end of all still ends', async (planted) => {
  const { userId, isEnded } = await person('a');
  await client.send(new PutCommand({ TableName: tables.EndedSessions.name, Item: { userId, ...planted } }));
  expect(await isEnded('a')).toBe(false);
  expect(await readEndings(tables.EndedSessions, userId)).toEqual({ userId });
  await endSignIns(tables.EndedSessions, userId, new Date(now.getTime() + 20_000));
  expect([await isEnded('a'), await isEnded('a', seconds + 60)]).toEqual([true, false]);
});

test.each([
  ['a number', 1],
  ['numbers', new Set([1, 2])],
  ['text', 'a'],
  ['a long text', new Set(['1#'.padEnd(101, 'x')])],
])(
  'a row that names %s, which no honest function writes, keeps nobody out, and sessions still end',
  async (_, sessions) => {
    const { userId, end, isEnded } = await person('a', 'b');
    await client.send(new PutCommand({ TableName: tables.EndedSessions.name, Item: { userId, sessions } }));
    expect(await isEnded('a')).toBe(false);
    await end('a');
    expect([await isEnded('a'), await isEnded('new', seconds + 60)]).toEqual([true, false]);
  },
);

test('a name that no honest function writes takes no other name with it', async () => {
  const { userId, end, isEnded } = await person('a', 'b');
  await end('a');
  const { sessions = new Set() } = await readEndings(tables.EndedSessions, userId);
  const planted = new Set([...sessions, '1#'.padEnd(101, 'x')]);
  await client.send(new PutCommand({ TableName: tables.EndedSessions.name, Item: { userId, sessions: planted } }));
  await endSignInsUnderWay(tables.EndedSessions, userId, now);
  expect(await readEndings(tables.EndedSessions, userId)).toMatchObject({ sessions });
  await end('b');
  expect([await isEnded('a'), await isEnded('b'), await isEnded('new', seconds + 60)]).toEqual([true, true, false]);
});

test('of more names than fit nobody knows which are true: all who signed in until now end', async () => {
  const { userId, isEnded } = await person('a');
  const sessions = new Set(Array.from({ length: 51 }, (_, index) => `${seconds + 900}#${index}`));
  await client.send(new PutCommand({ TableName: tables.EndedSessions.name, Item: { userId, sessions } }));
  await endSignInsUnderWay(tables.EndedSessions, userId, now);
  expect(await readEndings(tables.EndedSessions, userId)).toMatchObject({ notBefore: seconds });
  expect([await isEnded('a'), await isEnded('new', seconds + 1)]).toEqual([true, false]);
});

test('two that end at once are both named', async () => {
  const { end, isEnded } = await person('a', 'b');
  await Promise.all([end('a'), end('b')]);
  expect([await isEnded('a'), await isEnded('b')]).toEqual([true, true]);
});

test('the end of all names those in the list, ends older sign-ins that are in no list, and lets a new one begin', async () => {
  const { userId, isEnded } = await person('a');
  await endAllSessions(tables, userId, now);
  expect(await isEnded('a')).toBe(true);
  expect(await isEnded('in no list', seconds - 10)).toBe(true);
  // The pool's clock may be some seconds behind.
  expect(await isEnded('new', seconds - 9)).toBe(false);
});

test('an end of all that comes late takes nothing back', async () => {
  const { userId, isEnded } = await person();
  const before = new Date(now.getTime() - 60_000);
  await Promise.all([now, before].map((at) => endSignIns(tables.EndedSessions, userId, at)));
  await endSignIns(tables.EndedSessions, userId, before);
  expect(await isEnded('any', seconds - 10)).toBe(true);
});

test('the row goes when no session from before it has a row any more', async () => {
  const { userId, end } = await person('a');
  await end('a');
  expect(await readEndings(tables.EndedSessions, userId)).toMatchObject({ expiresAt: seconds + 45 * 86_400 });
});

test('a full row loses the sessions whose tokens are over', async () => {
  const { userId, end, isEnded } = await person('a', 'b');
  await name(userId, mostEndedSessions - 1, seconds);
  await end('a');
  await end('b');
  expect([await isEnded('a'), await isEnded('b')]).toEqual([true, true]);
  const { sessions = new Set(), notBefore } = await readEndings(tables.EndedSessions, userId);
  expect([sessions.size, notBefore]).toEqual([2, undefined]);
});

test('where a full row can lose none, all sign-ins end', async () => {
  const { userId, end, isEnded } = await person('a');
  await name(userId, mostEndedSessions, seconds + 100);
  await end('a');
  expect(await isEnded('a')).toBe(true);
  expect(await isEnded('other-0')).toBe(true);
  expect(await isEnded('new', seconds + 1)).toBe(false);
  const { sessions = new Set() } = await readEndings(tables.EndedSessions, userId);
  expect(sessions.size).toBe(1);
});
