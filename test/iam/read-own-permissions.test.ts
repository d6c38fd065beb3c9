import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { permissionsOf } from '../written-callers.ts';

const path = '/iam/users/me/permissions';

describe('200', () => {
  test("the caller's roles and all that they permit, each once", async () => {
    const caller = await client({ roles: 'developer,agent', application: 'medinfo' });
    expect(await caller.get(path)).toMatchObject({
      status: 200,
      body: {
        userId: caller.user,
        roles: ['agent', 'developer'],
        permissions: permissionsOf({ roles: ['agent', 'developer'], application: 'medinfo' }),
      },
    });
  });

  test('a caller of sleepcare in no group has what is their own', async () => {
    const caller = await client({ roles: '' });
    expect((await caller.get(path)).body).toEqual({
      userId: caller.user,
      roles: [],
      permissions: permissionsOf({ roles: [], application: 'sleepcare' }),
    });
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
