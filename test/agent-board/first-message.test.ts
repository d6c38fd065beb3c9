import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startStage } from '../../bin/stage.ts';
import { seededUsers } from '../../functions/product.ts';
import type { Application } from '../../lib/contract/register.ts';
import { seededUserId } from '../../lib/local/identity/seeded-users.ts';
import { callsAt, tokenAt } from '../caller-at.ts';

/** A message to an account whose app was never started: on a stage of its own, whose user pools are the test's. */

let isPoolDown = false;
const asked: string[] = [];

const stage = await startStage({
  rateLimit: false,
  initWork: false,
  intercept: {
    cognito: ({ action }) => {
      asked.push(action);
      return isPoolDown ? 'error' : undefined;
    },
  },
});
afterAll(() => stage.close());
beforeEach(() => {
  isPoolDown = false;
  asked.length = 0;
});

const call = (application: Application, token: string | null, ...request: [string, string, object?]) =>
  callsAt(stage, application, token)(...request);

const tokenOf = (user: string, roles: string, application: Application) => tokenAt(stage, { user, roles, application });

async function post(userId: string) {
  const agent = await tokenOf('agent', 'agent', 'medinfo');
  return call('medinfo', agent, 'POST', `/users/${userId}/agent-board/messages`, { title: 'Welcome', body: 'Text' });
}

function idOf(application: string, name: string): string {
  const userId = seededUserId(stage.model(), application, name);
  if (!userId) throw new Error(`nobody is seeded as ${name}`);
  return userId;
}

test('is there when the user signs in for the first time', async () => {
  const { name, password } = seededUsers.find(({ roles }) => roles.includes('patient')) ?? { name: '', password: '' };
  const posted = await post(idOf('sleepcare', name));
  expect(posted.status).toBe(201);
  const grant = { grantType: 'password', username: name, password };
  const { accessToken } = (await call('sleepcare', null, 'POST', '/auth/tokens', grant)).body;
  const board = await call('sleepcare', accessToken, 'GET', '/agent-board/messages');
  expect(board.body).toMatchObject({ items: [posted.body], metadata: { unreadCount: 1 } });
});

test('404: an id that the pool does not have, the address of one that it has, and one of the other application', async () => {
  const others = [randomUUID(), 'patient', idOf('medinfo', 'physician@example.com')];
  for (const userId of others) {
    expect(await post(userId)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  }
  expect(asked).toEqual(others.map(() => 'AdminGetUser'));
});

test('a message to a user who has used the app needs no pool; to others it is 503 while the pool is down', async () => {
  const userId = randomUUID();
  await call('sleepcare', await tokenOf(userId, 'patient', 'sleepcare'), 'GET', '/users/me');
  isPoolDown = true;
  asked.length = 0;
  expect((await post(userId)).status).toBe(201);
  expect(asked).toEqual([]);
  expect(await post(randomUUID())).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
});

test('404: an account whose deletion was asked for before its app was started', async () => {
  const userId = idOf('sleepcare', 'developer@example.com');
  const token = await tokenOf('developer@example.com', 'patient', 'sleepcare');
  const { status } = await call('sleepcare', token, 'DELETE', '/users/me');
  expect(status).toBeLessThan(300);
  expect(await post(userId)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
});
