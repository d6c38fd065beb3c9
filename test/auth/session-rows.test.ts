import { expect, test } from 'vitest';
import type { SessionRow } from '../../functions/auth/rules/session-row.ts';
import {
  beginSession,
  endAllSessions,
  liveSessions,
  markEnded,
  poolTokenOf,
  readSession,
  renewSession,
  sealSuccessor,
  successorIn,
} from '../../functions/auth/stores/sessions.ts';
import { localTables } from '../local-tables.ts';

const { tables } = await localTables(['Sessions', 'EndedSessions']);
const table = tables.Sessions;

const secret = ['a secret'] as const;
const lifetime = { longestMinutes: 720, idleMinutes: 60 };
let made = 0;

function beginning(of: { userId: string; sessionId: string }) {
  const now = new Date();
  return beginSession(
    table,
    { ...of, signedInAt: now.toISOString(), username: 'u' },
    {
      secret,
      poolToken: "Cognito's token",
      tokenHash: 'h0',
      lifetime,
      now,
      appVersion: null,
      device: 'iPhone 17',
    },
  );
}

async function begun(): Promise<SessionRow> {
  made += 1;
  const key = { userId: `user-${made}`, sessionId: 's' };
  expect(await beginning(key)).toBe(true);
  const row = await readSession(table, key);
  if (!row) throw new Error('there is no row');
  return row;
}

const next = { tokenHash: 'h1', predecessors: [] };

test('a session that was ended is renewed no more, by a row that was read before its end', async () => {
  const row = await begun();
  await markEnded(tables, row, { now: new Date(), by: 'asked' });
  expect(await renewSession(table, row, { now: new Date(), replaced: next })).toBe(false);
  expect(await readSession(table, row)).toMatchObject({ tokenHash: 'h0', endedBy: 'asked' });
  // Nor does a sign-in that comes late bring it back.
  expect(await beginning(row)).toBe(false);
});

test('of two renewals that read the same row, one replaces the token', async () => {
  const row = await begun();
  expect(await renewSession(table, row, { now: new Date(), replaced: next })).toBe(true);
  expect(await renewSession(table, row, { now: new Date(), replaced: { ...next, tokenHash: 'h2' } })).toBe(false);
  expect(await readSession(table, row)).toMatchObject({ tokenHash: 'h1', device: 'iPhone 17' });
});

test('a row that is gone is not made again by a renewal', async () => {
  const row = { ...(await begun()), sessionId: 'other' };
  expect(await renewSession(table, row, { now: new Date(), replaced: next })).toBe(false);
  expect(await markEnded(tables, row, { now: new Date(), by: 'asked' })).toBeNull();
});

test('the first reason of an end stays', async () => {
  const row = await begun();
  await markEnded(tables, row, { now: new Date(), by: 'reused' });
  await markEnded(tables, row, { now: new Date(), by: 'asked' });
  expect(await endAllSessions(tables, row.userId, new Date())).toEqual([]);
  expect(await readSession(table, row)).toMatchObject({ endedBy: 'reused' });
});

test('a session whose time is over is ended with all the others', async () => {
  const row = await begun();
  await renewSession(table, row, { now: new Date(Date.now() - 61 * 60_000) });
  expect(await liveSessions(table, row.userId, new Date())).toHaveLength(1);
  expect(await endAllSessions(tables, row.userId, new Date())).toHaveLength(1);
  expect(await liveSessions(table, row.userId, new Date())).toEqual([]);
});

test("neither Cognito's token nor a successor can be read where its key or its row is another one", async () => {
  const row = await begun();
  expect(JSON.stringify(row)).not.toContain("Cognito's token");
  expect(poolTokenOf(secret, row)).toBe("Cognito's token");
  expect(poolTokenOf(['another secret'], row)).toBeNull();
  expect(poolTokenOf(['another secret', ...secret], row)).toBe("Cognito's token");
  expect(() => poolTokenOf(secret, { ...row, sessionId: 'other' })).toThrow();
  const sealed = sealSuccessor('replaced', row, 'successor');
  expect(successorIn('replaced', row, sealed)).toBe('successor');
  expect(() => successorIn(secret[0], row, sealed)).toThrow();
  expect(() => successorIn('replaced', { ...row, userId: 'other' }, sealed)).toThrow();
});
