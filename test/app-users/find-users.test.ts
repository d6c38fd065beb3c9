import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';

const patient = 'patient@example.com';
const find = (email: string) => `/users?email=${encodeURIComponent(email)}`;
const agent = () => client({ roles: 'agent', application: 'medinfo' });
const metadata = { limit: 20, count: 0, hasMore: false, nextCursor: null };

describe('200', () => {
  test('a sleep-care user, by the whole address in any case', async () => {
    // An agent finds the account; the birth year is for the programme that asks for it.
    const {
      roles: _roles,
      birthYear: _birthYear,
      ...user
    } = (await (await client({ user: patient })).get('/users/me')).body;
    for (const email of [patient, 'Patient@EXAMPLE.com']) {
      const { status, body } = await (await agent()).get(find(email));
      expect([status, body]).toEqual([
        200,
        { items: [{ ...user, status: 'active' }], metadata: { ...metadata, count: 1 } },
      ]);
    }
  });

  test.each([
    ['an address that nobody has', `${randomUUID()}@example.com`],
    ['a part of an address', 'patient@example'],
    ['an address with a wildcard', '*@example.com'],
  ])('%s is of nobody', async (_name, email) => {
    expect(await (await agent()).get(find(email))).toMatchObject({ status: 200, body: { items: [], metadata } });
  });

  test("medinfo's own users are not found", async () => {
    const admin = await client({ user: 'admin@example.com', roles: 'admin', application: 'medinfo' });
    expect((await admin.get('/users/me')).body.email).toBe('admin@example.com');
    expect((await admin.get(find('admin@example.com'))).body.items).toEqual([]);
  });
});

describe('400', () => {
  test.each([
    ['an empty one', '/users?email='],
    ['what is none', '/users?email=someone'],
    ['two addresses', `/users?email=${patient}&email=${patient}`],
    ['255 characters', find(`${'a'.repeat(243)}@example.com`)],
  ])('%s', async (_name, path) => {
    const { status, body } = await (await agent()).get(path);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.detail.issues[0]).toMatchObject({ in: 'query', path: 'email' });
    expect(JSON.stringify(body)).not.toContain(patient);
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', find(patient), { application: 'medinfo' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
  });
});

describe('403', () => {
  test.each(['', 'developer', 'integration'])('the role "%s"', async (roles) => {
    const caller = await client({ roles, application: 'medinfo' });
    expect(await caller.get(find(patient))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

describe('404', () => {
  test('the sleep-care app has no such route', async () => {
    expect(await (await client()).get(find(patient))).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
  });

  test('a member of the staff is no user of the app, to be read or disabled', async () => {
    const admin = await client({ roles: 'admin', application: 'medinfo' });
    const { userId } = (await (await client({ roles: 'physician', application: 'medinfo' })).get('/users/me')).body;
    const unknown = { status: 404, body: { code: 'USER_NOT_FOUND' } };
    expect(await admin.get(`/users/${userId}`)).toMatchObject(unknown);
    expect(await admin.post(`/users/${userId}/disable`)).toMatchObject(unknown);
  });
});

test('200: a plus that the caller did not escape is still one', async () => {
  const plus = await (await agent()).get('/users?email=some+body@example.com');
  expect(plus).toMatchObject({ status: 200, body: { items: [] } });
});
