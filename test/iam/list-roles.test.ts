import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { permissionsOf } from '../written-callers.ts';

describe('200', () => {
  test('the roles of the application, each with what it may do', async () => {
    const admin = await client({ roles: 'admin', application: 'medinfo' });
    const { status, body } = await admin.get('/iam/roles');
    expect(status).toBe(200);
    expect(body.metadata).toEqual({ limit: 100, count: 7, hasMore: false, nextCursor: null });
    const roles = body.items.map(({ role }: { role: string }) => role);
    expect(roles).toEqual([
      ...['physician', 'agent', 'admin', 'researcher', 'clinical-safety', 'developer', 'integration'],
    ]);
    for (const { role, permissions } of body.items) {
      expect(permissions, role).toEqual(permissionsOf({ roles: [role], application: 'medinfo' }));
    }
    expect(body.items[6]).toEqual({ role: 'integration', permissions: ['consents:read', 'profile:read-own'] });
  });

  test("another application's roles are others", async () => {
    const { body } = await (await client()).get('/iam/roles');
    expect(body.items.map(({ role }: { role: string }) => role)).toEqual(['patient', 'developer', 'integration']);
  });

  test('pages hold every role once', async () => {
    const patient = await client();
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor ? `?limit=2&cursor=${encodeURIComponent(cursor)}` : '?limit=2';
      const { body } = await patient.get(`/iam/roles${query}`);
      found.push(...body.items.map(({ role }: { role: string }) => role));
      cursor = body.metadata.nextCursor;
    }
    expect(found).toEqual(['patient', 'developer', 'integration']);
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', '/iam/roles')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});

describe('403', () => {
  test('a medinfo caller in no group', async () => {
    const nobody = await client({ roles: '', application: 'medinfo' });
    expect(await nobody.get('/iam/roles')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});
