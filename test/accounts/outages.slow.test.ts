import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { openStage, type Stage } from '../faults/stage.ts';

/** What an account is left with when a dependency fails in the midst of a change. */

const broken = { devices: false, queue: false };
let stage: Stage;
beforeAll(async () => {
  stage = await openStage({
    intercept: {
      dynamodb: ({ action, input }) =>
        broken.devices && action === 'UpdateItem' && JSON.stringify(input).includes('KnownDevices')
          ? 'error'
          : undefined,
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
