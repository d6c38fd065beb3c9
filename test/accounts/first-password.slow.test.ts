import { randomUUID } from 'node:crypto';
import { AdminCreateUserCommand, AdminDisableUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Application } from '../../lib/contract/register.ts';
import { administration, openStage, ownStage, poolOf } from '../auth/stage.ts';

/** A temporary password gives no tokens, and its owner replaces it. */

const temporary = 'temporary-one-2026';
const chosen = 'a-long-first-passphrase';

type Own = Awaited<ReturnType<typeof openStage>>;
const own = await openStage();
afterEach(() => own.reset());
afterAll(() => own.stage.close());

async function newUser({ stage }: Own, application: Application = 'sleepcare'): Promise<string> {
  const Username = `temporary-${randomUUID()}@example.com`;
  const UserPoolId = poolOf(stage, application);
  const command = new AdminCreateUserCommand({ UserPoolId, Username, TemporaryPassword: temporary });
  await administration(stage).send(command);
  return Username;
}

const choose = (
  { send }: Own,
  email: string,
  more: { temporaryPassword?: string; password?: string } = {},
  application: Application = 'sleepcare',
) =>
  send('POST', '/auth/password/first', {
    body: { email, temporaryPassword: temporary, password: chosen, ...more },
    application,
  });

const signIn = ({ issue }: Own, username: string, password: string, application: Application = 'sleepcare') =>
  issue({ grantType: 'password', username, password }, application);

test.each(['sleepcare', 'medinfo'] as const)('is replaced once, in %s', async (application) => {
  const email = await newUser(own, application);
  const pending = await signIn(own, email, temporary, application);
  expect(pending).toMatchObject({ status: 401, body: { code: 'CHALLENGE_REQUIRED' } });
  for (const [reason, password] of [
    ['policy', temporary],
    ['pattern', 'passwordpassword'],
    ['own-data', email],
    ['breached', 'sonnenschein'],
  ] as const) {
    const rejected = { status: 400, body: { code: 'PASSWORD_REJECTED', detail: { reason } } };
    expect(await choose(own, email, { password }, application), password).toMatchObject(rejected);
  }
  expect(await choose(own, email, {}, application)).toMatchObject({ status: 200, body: { success: true } });
  expect((await choose(own, email, {}, application)).body.code).toBe('INVALID_CREDENTIALS');
  expect((await signIn(own, email, temporary, application)).body.code).toBe('INVALID_CREDENTIALS');
  expect((await signIn(own, email, chosen, application)).status).toBe(200);
  await own.stage.idle();
  const subjects = (own.stage.ses?.mails() ?? []).filter(({ to }) => to === email).map(({ subject }) => subject);
  // Who is in the pool of the staff and has no row there is nobody's colleague, and gets no mail.
  expect(subjects.includes('Your password was changed')).toBe(application === 'sleepcare');
});

test('leaves no session behind: what Cognito issued meanwhile is revoked', async () => {
  const email = await newUser(own);
  const calls: string[] = [];
  own.state.fault = ({ action }) => void calls.push(action);
  expect((await choose(own, email)).status).toBe(200);
  // The mail to the owner goes to the pool's address, at any time.
  const others = calls.filter((action) => action !== 'AdminGetUser');
  expect(others).toEqual(['AdminInitiateAuth', 'AdminRespondToAuthChallenge', 'RevokeToken']);
});

test('is no way in for a password that is not temporary, and no way around the lock', async () => {
  const email = await newUser(own);
  expect((await choose(own, email)).status).toBe(200);
  const again = { temporaryPassword: chosen, password: 'another-long-passphrase' };
  expect((await choose(own, email, again)).body.code).toBe('INVALID_CREDENTIALS');
  expect((await signIn(own, email, chosen)).status).toBe(200);

  const other = await newUser(own);
  for (let index = 0; index < 10; index += 1) {
    const answer = await choose(own, other, { temporaryPassword: `a-wrong-one-${index}` });
    expect(answer.body.code).toBe('INVALID_CREDENTIALS');
  }
  expect(await choose(own, other)).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } });
  expect((await signIn(own, other, temporary)).body.code).toBe('SIGN_IN_LOCKED');
  const nobody = await choose(own, `nobody-${randomUUID()}@example.com`);
  expect(nobody).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
});

test('of a disabled account: who gives the right one is told, and each try is a line of the log', async () => {
  const email = await newUser(own);
  const user = { UserPoolId: poolOf(own.stage, 'sleepcare'), Username: email };
  await administration(own.stage).send(new AdminDisableUserCommand(user));
  expect((await choose(own, email, { temporaryPassword: 'a-wrong-one-2026' })).body.code).toBe('INVALID_CREDENTIALS');
  expect(await choose(own, email)).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DISABLED' } });
  expect((await signIn(own, email, temporary)).body.code).toBe('ACCOUNT_DISABLED');
  const lines = own.state.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const tries = lines.filter(({ message }) => message === 'sign-in');
  const why = 'NotAuthorizedException';
  expect(tries).toMatchObject([
    { factor: 'temporary_password', outcome: 'refused', why },
    { factor: 'temporary_password', outcome: 'disabled', why },
    { factor: 'password', outcome: 'disabled', why },
  ]);
  // The same account, however it was tried.
  expect(new Set(tries.map(({ account }) => account)).size).toBe(1);
  const requests = lines.filter(({ route }) => route === 'POST /auth/password/first');
  expect(requests.map(({ firstPasswordRefused }) => firstPasswordRefused)).toEqual([1, 1]);
  expect(JSON.stringify(tries)).not.toContain(email);
});

test('is valid for a day', async () => {
  const email = await newUser(own);
  own.state.now += 86_400_000;
  expect((await choose(own, email)).body.code).toBe('INVALID_CREDENTIALS');
});

test('a lost answer of the pool is no defect: the new password is the one to sign in with', async () => {
  const email = await newUser(own);
  own.state.fault = ({ action }) => (action === 'AdminRespondToAuthChallenge' ? 'lose-response' : undefined);
  expect((await choose(own, email)).status).toBe(503);
  own.reset();
  expect((await signIn(own, email, chosen)).status).toBe(200);
});

test('where everybody needs a second factor, the next sign-in sets it up', async () => {
  const prod = await ownStage({ environment: 'prod' });
  const email = await newUser(prod, 'medinfo');
  expect((await choose(prod, email, {}, 'medinfo')).status).toBe(200);
  expect((await signIn(prod, email, chosen, 'medinfo')).body.code).toBe('TOTP_SETUP_REQUIRED');
});
