import { AdminCreateUserCommand, AdminDeleteUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { administration } from '../auth/stage.ts';
import { openStage } from '../faults/stage.ts';
import { secureTokenIn } from '../mail/token.ts';
import { newAddress } from '../mails.ts';

/** What an account is left with when a dependency fails in the midst of a change. */

const broken = {
  queue: false,
  marks: false,
  codes: false,
  secondLook: false,
  former: false,
  address: false,
  phones: false,
};
/** Milliseconds that the user pool's clock is ahead of ours: so an authenticator app has a next code at once. */
let ahead = 0;
const stage = await openStage({
  userPoolNow: () => Date.now() + ahead,
  intercept: {
    dynamodb: ({ action, input }) => {
      const text = JSON.stringify(input);
      const isMark = broken.marks && action === 'TransactWriteItems' && text.includes('SET endedAt');
      // Once the tries are 0 the code is used up.
      const isUsedUp = broken.codes && action === 'TransactWriteItems' && text.includes('":left":{"N":"0"}');
      const isFormer = broken.former && action === 'TransactWriteItems' && text.includes('former = :former');
      const isPhones = broken.phones && action === 'Query' && input.TableName === stage.stage.data.tables('Devices');
      return isMark || isUsedUp || isFormer || isPhones ? 'error' : undefined;
    },
    // The call that follows a wrong password: whether the new one is the account's already.
    cognito: ({ action, input }) => {
      if (broken.address && action === 'AdminUpdateUserAttributes') return 'limit';
      const { PASSWORD } = (input.AuthParameters ?? {}) as { PASSWORD?: string };
      const isSecondLook = action === 'AdminInitiateAuth' && PASSWORD === 'another-long-passphrase';
      return broken.secondLook && isSecondLook ? 'limit' : undefined;
    },
    sqs: ({ action }) => (broken.queue && action === 'SendMessageBatch' ? 'error' : undefined),
  },
});
afterAll(() => stage.close());

const email = 'patient@example.com';
const password = 'patient-patient';
const call = async (method: string, path: string, token = '', body?: object) => {
  const answer = await stage.call('sleepcare', token, method, path, body);
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about.
  return { status: answer.status, body: answer.body as any };
};
const signIn = (deviceName: string) =>
  call('POST', '/auth/tokens', '', {
    grantType: 'password',
    username: email,
    password: 'patient-patient',
    deviceName,
  });
const factorNotices = () =>
  (stage.stage.ses?.mails() ?? []).filter(({ to, subject }) => to === email && /second factor/.test(subject));

test('a sign-in whose mail cannot be sent hands nothing out and leaves no session', async () => {
  const phone = await signIn('Phone');
  broken.queue = true;
  for (const name of ['Tablet', 'Tablet']) expect(await signIn(name)).toMatchObject({ status: 503 });
  broken.queue = false;
  const { items } = (await call('GET', '/auth/sessions', phone.body.accessToken)).body;
  expect(items).toMatchObject([{ device: 'Phone' }]);
  expect((await signIn('Tablet')).status).toBe(200);
});

async function mailTo(address: string, subject: RegExp) {
  await stage.stage.idle();
  return stage.stage.ses?.mails().findLast((mail) => mail.to === address && subject.test(mail.subject));
}

const chosen = 'a-long-first-passphrase';
const signInWith = (username: string) =>
  call('POST', '/auth/tokens', '', { grantType: 'password', username, password: chosen });

async function newAccount(): Promise<string> {
  const email = newAddress();
  await call('POST', '/users', '', { email });
  const code = (await mailTo(email, /sign up/))?.code;
  const made = await call('POST', '/users/verify', '', { email, code, password: chosen, birthYear: 1980 });
  expect(made.status).toBe(200);
  return email;
}

/** Asks for another address. @returns what its mail says */
async function askedFor(email: string, accessToken: string) {
  await call('POST', '/users/me/email', accessToken, { password: chosen, email });
  return { email, code: (await mailTo(email, /confirm/))?.code };
}

test('a link that cannot give the address back, as another account has it, can be used again', async () => {
  const first = await newAccount();
  const { accessToken } = (await signInWith(first)).body;
  const change = await askedFor(newAddress(), accessToken);
  expect((await call('POST', '/users/me/email/verify', accessToken, change)).status).toBe(200);
  const token = secureTokenIn((await mailTo(first, /was changed/))?.text);
  const pool = stage.stage.model().userPools.find(({ name }) => name.endsWith('sleepcare'));
  const user = { UserPoolId: pool?.id, Username: first };
  const users = administration(stage.stage);
  const attributes = [{ Name: 'email', Value: first }];
  await users.send(new AdminCreateUserCommand({ ...user, UserAttributes: attributes, MessageAction: 'SUPPRESS' }));
  const use = async () => (await call('POST', '/auth/secure-account', '', { token })).body;
  expect(await use()).toEqual({ status: 'secured', addressRestored: false });
  expect((await call('GET', '/users/me', accessToken)).status).toBe(401);
  // Whoever has the address now, and reads its old mails, signs nobody out again.
  expect(await use()).toEqual({ status: 'link-used', addressRestored: false });
  await users.send(new AdminDeleteUserCommand(user));
  expect(await use()).toEqual({ status: 'secured', addressRestored: true });
  expect(await use()).toEqual({ status: 'link-used', addressRestored: false });
});

test('a change of the address that is repeated tells the address that was left, whatever the profile says', async () => {
  const [first, second, planted] = [await newAccount(), newAddress(), newAddress()];
  const { accessToken } = (await signInWith(first)).body;
  const { userId } = (await call('GET', '/users/me', accessToken)).body;
  const { endpoint, region, credentials, tables } = stage.stage.data;
  const dynamo = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const planting = { UpdateExpression: 'SET email = :email', ExpressionAttributeValues: { ':email': planted } };
  // There, and back to an address that is one of the former.
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const) {
    const change = await askedFor(to, accessToken);
    broken.queue = true;
    expect((await call('POST', '/users/me/email/verify', accessToken, change)).status).toBe(503);
    broken.queue = false;
    await dynamo.send(new UpdateCommand({ TableName: tables('Users'), Key: { userId }, ...planting }));
    expect((await call('POST', '/users/me/email/verify', accessToken, change)).status).toBe(200);
    expect(await mailTo(from, /was changed/)).toBeDefined();
    expect((await signInWith(to)).status).toBe(200);
  }
  expect(await mailTo(planted, /./)).toBeUndefined();
  dynamo.destroy();
});

test('no address is left that the account cannot go back to, and nobody is signed out before it has its address', async () => {
  const first = await newAccount();
  const { accessToken } = (await signInWith(first)).body;
  const other = newAddress();
  const change = await askedFor(other, accessToken);

  broken.former = true;
  expect((await call('POST', '/users/me/email/verify', accessToken, change)).status).toBe(503);
  broken.former = false;
  expect((await signInWith(other)).status).toBe(401);
  expect(await mailTo(first, /was changed/)).toBeUndefined();
  expect((await call('POST', '/users/me/email/verify', accessToken, change)).status).toBe(200);

  const token = secureTokenIn((await mailTo(first, /was changed/))?.text);
  broken.address = true;
  expect((await call('POST', '/auth/secure-account', '', { token })).status).toBe(503);
  broken.address = false;
  // Else a thief at the other address would choose the next password.
  expect((await signInWith(other)).status).toBe(200);
  const secured = await call('POST', '/auth/secure-account', '', { token });
  expect(secured).toMatchObject({ status: 200, body: { status: 'secured', addressRestored: true } });
  for (const each of [first, other]) expect((await signInWith(each)).status).toBe(401);
});

test('a mail waits for the agent board, and then comes without it', async () => {
  const { accessToken } = (await signIn('Phone')).body;
  // Mails go to users with a profile.
  expect((await call('GET', '/users/me', accessToken)).status).toBe(200);
  await stage.stage.idle();
  broken.phones = true;
  expect((await signIn('Radio')).status).toBe(200);
  const came = () => (stage.stage.ses?.mails() ?? []).filter(({ to, text }) => to === email && text.includes('Radio'));
  await stage.stage.idle(() => stage.stage.queues.elapse(60_000));
  expect(came()).toHaveLength(1);
  broken.phones = false;
});

test('who signs out while no row can be written gets 503, and the token has ended', async () => {
  const { refreshToken } = (await signIn('Phone')).body;
  broken.marks = true;
  expect((await call('POST', '/auth/tokens/revoke', '', { refreshToken })).status).toBe(503);
  broken.marks = false;
  expect((await call('POST', '/auth/tokens', '', { grantType: 'refresh_token', refreshToken })).status).toBe(401);
  expect((await call('POST', '/auth/tokens/revoke', '', { refreshToken })).status).toBe(200);
});

test('a sign-up whose code could not be used up goes on with the same code', async () => {
  const address = newAddress();
  expect((await call('POST', '/users', '', { email: address })).status).toBe(202);
  await stage.stage.idle();
  const code = (stage.stage.ses?.mails() ?? []).find(({ to }) => to === address)?.code;
  const body = { email: address, code, password: 'a-long-first-passphrase', birthYear: 1980 };
  broken.codes = true;
  expect((await call('POST', '/users/verify', '', body)).status).toBe(503);
  broken.codes = false;
  expect((await call('POST', '/users/verify', '', body)).status).toBe(200);
  expect((await call('POST', '/users/verify', '', body)).body.code).toBe('CODE_INVALID');
});

test('a second factor is neither set up nor removed while its notice cannot be sent', async () => {
  await call('GET', '/users/me', (await signIn('Phone')).body.accessToken);
  const { accessToken } = (await signIn('Phone')).body;
  let secret = '';
  const setUp = async () => {
    ({ secret } = (await call('POST', '/users/me/second-factor', accessToken, { password })).body);
    const code = codeAt(secret, stepAt(Date.now()));
    return (await call('POST', '/users/me/second-factor/verify', accessToken, { password, code })).status;
  };
  broken.queue = true;
  expect(await setUp()).toBe(503);
  broken.queue = false;
  expect((await signIn('Phone')).status).toBe(200);
  expect(await setUp()).toBe(200);
  expect((await signIn('Phone')).body.code).toBe('TOTP_REQUIRED');
  await stage.stage.idle();
  const notices = factorNotices().length;
  expect(notices).toBeGreaterThan(0);

  const remove = async () => {
    // Each sign-in takes a later code, also one that is followed by a failure.
    ahead += 60_000;
    const presentCode = codeAt(secret, stepAt(Date.now() + ahead));
    return (await call('POST', '/users/me/second-factor/remove', accessToken, { password, presentCode })).status;
  };
  broken.queue = true;
  expect(await remove()).toBe(503);
  expect((await signIn('Phone')).body.code).toBe('TOTP_REQUIRED');
  broken.queue = false;
  expect(await remove()).toBe(200);
  ahead = 0;
  await stage.stage.idle();
  expect(factorNotices().length).toBe(notices + 1);
  expect((await signIn('Phone')).status).toBe(200);
});

// After the tests that need the patient's password: it locks the account for this address.
test('a wrong password counts although what follows it fails', async () => {
  const { accessToken } = (await signIn('Phone')).body;
  const change = (currentPassword: string) =>
    call('PUT', '/users/me/password', accessToken, { currentPassword, password: 'another-long-passphrase' });
  broken.secondLook = true;
  for (let index = 0; index < 10; index += 1) expect((await change(`a-wrong-one-${index}`)).status).toBe(503);
  broken.secondLook = false;
  expect((await change('patient-patient')).body.code).toBe('SIGN_IN_LOCKED');
});

test('a reset of the password gives back no guesses of codes: the right one is still refused', async () => {
  const address = newAddress();
  const [first, second] = ['a-long-first-passphrase', 'another-long-passphrase'];
  const mailed = async (count: number) => {
    await stage.stage.idle();
    const codes = (stage.stage.ses?.mails(({ to }) => to === address) ?? []).flatMap(({ code }) => code ?? []);
    expect(codes).toHaveLength(count);
    return { email: address, code: codes.at(-1) };
  };
  const begin = (password: string) =>
    call('POST', '/auth/tokens', '', { grantType: 'password', username: address, password });
  await call('POST', '/users', '', { email: address });
  await call('POST', '/users/verify', '', { ...(await mailed(1)), password: first, birthYear: 1980 });
  const { accessToken } = (await begin(first)).body;
  const { secret } = (await call('POST', '/users/me/second-factor', accessToken, { password: first })).body;
  const step = stepAt(Date.now());
  const right = codeAt(secret, step);
  expect(
    (await call('POST', '/users/me/second-factor/verify', accessToken, { password: first, code: right })).status,
  ).toBe(200);
  const tryCode = async (password: string, code: string) => {
    const { session } = (await begin(password)).body.detail;
    return (await call('POST', '/auth/tokens', '', { grantType: 'totp', session, code })).body.code;
  };
  for (let index = 0; index < 10; index += 1) {
    const wrong = String((Number(right) + 100 + index) % 1_000_000).padStart(6, '0');
    expect(await tryCode(first, wrong)).toBe('TOTP_INVALID');
  }
  await call('POST', '/auth/password/forgot', '', { email: address });
  const reset = await call('POST', '/auth/password/reset', '', { ...(await mailed(2)), password: second });
  expect(reset.status).toBe(200);
  // Of the next step: it is right as well, and was not used yet.
  expect(await tryCode(second, codeAt(secret, step + 1))).toBe('SIGN_IN_LOCKED');
});
