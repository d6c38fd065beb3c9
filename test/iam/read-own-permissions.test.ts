import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';

const path = '/iam/users/me/permissions';
const own = [
  'profile:read-own',
  'profile:write-own',
  'permissions:read-own',
  'consents:read-own',
  'consents:write-own',
  'devices:read-own',
  'devices:write-own',
];
const board = ['agent-board:read-own', 'agent-board:write-own'];
const sorted = (...names: string[][]) => names.flat().toSorted();

describe('200', () => {
  test("the caller's roles and all that they permit, each once", async () => {
    const user = randomUUID();
    const caller = await client({ user, roles: 'developer,agent', application: 'medinfo' });
    expect(await caller.get(path)).toMatchObject({
      status: 200,
      body: {
        userId: user,
        roles: ['agent', 'developer'],
        permissions: sorted(own, ['agent-board:write', 'users:read', 'support:write', 'push:test', 'time-machine:use']),
      },
    });
  });

  test('a caller of sleepcare in no group has what is their own', async () => {
    const user = randomUUID();
    const caller = await client({ user, roles: '' });
    expect((await caller.get(path)).body).toEqual({ userId: user, roles: [], permissions: sorted(own, board) });
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', path)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});

describe('403', () => {
  test('an integration, which is nobody and has nothing of its own', async () => {
    const tool = await client({ roles: 'integration', application: 'medinfo', client: 'integration' });
    expect(await tool.get(path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});
