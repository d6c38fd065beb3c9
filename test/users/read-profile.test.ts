import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, client, isDeployed } from '../api.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('200', () => {
  test('the caller, bare, made at the first sight', async () => {
    const user = await client();
    const userId = user.user;
    const { status, body } = await user.get('/users/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      userId,
      username: userId,
      // Users of a deployed stage have one.
      email: isDeployed() ? expect.toBeOneOf([null, expect.stringContaining('@')]) : null,
      roles: ['patient'],
      locale: null,
      timezone: null,
      birthYear: null,
      createdAt: expect.stringMatching(timestamp),
    });
    expect((await user.get('/users/me')).body).toEqual(body);
  });

  test('twenty first requests at once make one user', async () => {
    const user = await client();
    const answers = await Promise.all(Array.from({ length: 20 }, () => user.get('/users/me')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.createdAt)).size).toBe(1);
  });

  test('roles are those of the token, not those of the first request', async () => {
    const user = randomUUID();
    await (await client({ user, roles: '' })).get('/users/me');
    const later = await client({ user, roles: 'patient,developer' });
    expect((await later.get('/users/me')).body.roles).toEqual(['patient', 'developer']);
  });

  test('a medinfo caller in no group may know who it is', async () => {
    const nobody = await client({ roles: '', application: 'medinfo' });
    expect(await nobody.get('/users/me')).toMatchObject({ status: 200, body: { roles: [] } });
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', '/users/me')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});
