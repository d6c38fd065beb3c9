import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { openStage, type Stage } from '../faults/stage.ts';
import { newAddress } from '../mails.ts';

/** What an account is left with when a dependency fails in the midst of a change. */

const broken = { devices: false, queue: false, marks: false, codes: false, secondLook: false };
let stage: Stage;
beforeAll(async () => {
  stage = await openStage({
    intercept: {
      dynamodb: ({ action, input }) => {
        const text = JSON.stringify(input);
        const isDevice = broken.devices && action === 'UpdateItem' && text.includes('KnownDevices');
        const isMark = broken.marks && action === 'TransactWriteItems' && text.includes('SET endedAt');
        // Once the tries are 0 the code is used up.
        const isUsedUp = broken.codes && action === 'TransactWriteItems' && text.includes('":left":{"N":"0"}');
        return isDevice || isMark || isUsedUp ? 'error' : undefined;
      },
      // The call that follows a wrong password: whether the new one is the account's already.
      cognito: ({ action, input }) => {
        const isSecondLook = action === 'ChangePassword' && input.PreviousPassword === input.ProposedPassword;
        return broken.secondLook && isSecondLook ? 'limit' : undefined;
      },
      sqs: ({ action }) => (broken.queue && action === 'SendMessageBatch' ? 'error' : undefined),
    },
  });
});
afterAll(() => stage.close());

const email = 'patient@example.com';
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
    deviceId: deviceName,
    deviceName,
  });
const factorNotices = () =>
  (stage.stage.ses?.mails() ?? []).filter(({ to, subject }) => to === email && /second factor/.test(subject));

test('a sign-in whose device cannot be noted hands nothing out and leaves no session', async () => {
  const phone = await signIn('Phone');
  broken.devices = true;
  for (const name of ['Tablet', 'Tablet']) expect(await signIn(name)).toMatchObject({ status: 503 });
  broken.devices = false;
  const { items } = (await call('GET', '/auth/sessions', phone.body.accessToken)).body;
  expect(items).toMatchObject([{ device: 'Phone' }]);
  expect((await signIn('Tablet')).status).toBe(200);
});

test('who signs out while no row can be written gets 503, and the token has ended', async () => {
  const { refreshToken } = (await signIn('Phone')).body;
  broken.marks = true;
  expect((await call('POST', '/auth/tokens/revoke', '', { refreshToken })).status).toBe(503);
  broken.marks = false;
  expect((await call('POST', '/auth/tokens', '', { grantType: 'refresh_token', refreshToken })).status).toBe(401);
  expect((await call('POST', '/auth/tokens/revoke', '', { refreshToken })).status).toBe(200);
});

test('a wrong password counts although what follows it fails', async () => {
  const { accessToken } = (await signIn('Phone')).body;
  const change = (currentPassword: string) =>
    call('PUT', '/users/me/password', accessToken, { currentPassword, password: 'another-long-passphrase' });
  broken.secondLook = true;
  for (let index = 0; index < 10; index += 1) expect((await change(`a-wrong-one-${index}`)).status).toBe(503);
  broken.secondLook = false;
  expect((await change('patient-patient')).body.code).toBe('SIGN_IN_LOCKED');
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
  const setUp = async () => {
    const { secret } = (await call('POST', '/users/me/second-factor', accessToken)).body;
    const code = codeAt(secret, stepAt(Date.now()));
    return (await call('POST', '/users/me/second-factor/verify', accessToken, { code })).status;
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

  broken.queue = true;
  expect((await call('DELETE', '/users/me/second-factor', accessToken)).status).toBe(503);
  expect((await signIn('Phone')).body.code).toBe('TOTP_REQUIRED');
  broken.queue = false;
  expect((await call('DELETE', '/users/me/second-factor', accessToken)).status).toBe(200);
  await stage.stage.idle();
  expect(factorNotices().length).toBe(notices + 1);
  expect((await signIn('Phone')).status).toBe(200);
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
  const { secret } = (await call('POST', '/users/me/second-factor', accessToken)).body;
  const step = stepAt(Date.now());
  const right = codeAt(secret, step);
  expect((await call('POST', '/users/me/second-factor/verify', accessToken, { code: right })).status).toBe(200);
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
