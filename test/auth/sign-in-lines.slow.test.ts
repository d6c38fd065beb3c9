import { randomUUID } from 'node:crypto';
import { AdminDisableUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, afterEach, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { administration, enrol, newPhysician, openStage, poolOf, waitingSignIns } from './stage.ts';

/** What the log says of a sign-in, and what becomes of one that cannot be kept. */

const broken = { signIns: false };
const own = await openStage({
  intercept: {
    dynamodb: ({ action, input }) =>
      broken.signIns && action === 'TransactWriteItems' && JSON.stringify(input).includes('-SignIns')
        ? 'error'
        : undefined,
  },
});
afterEach(() => {
  broken.signIns = false;
  own.reset();
});
afterAll(() => own.stage.close());

type Line = Record<string, unknown>;
const parsed = () => own.state.lines.flatMap((line): Line[] => (line.startsWith('{') ? [JSON.parse(line)] : []));
const signInLines = () => parsed().filter(({ message }) => message === 'sign-in');
const password = (username: string, chosen: string) => ({ grantType: 'password', username, password: chosen });

test('a line names the account by its keyed hash, the factor, and why the sign-in failed', async () => {
  const { username, password: right } = await newPhysician(own.stage);
  await own.issue(password(username, 'not-the-password'));
  await own.issue(password(username.toUpperCase(), right));
  await own.issue(password(`x${username}`, 'not-the-password'));
  const user = { UserPoolId: poolOf(own.stage, 'medinfo'), Username: username };
  await administration(own.stage).send(new AdminDisableUserCommand(user));
  await own.issue(password(username, right));

  const lines = signInLines();
  const hash = expect.stringMatching(/^[0-9a-f]{8}\.[\w-]{23}$/);
  const common = { application: 'medinfo', account: hash, factor: 'password' };
  expect(lines).toMatchObject([
    { ...common, level: 'WARN', outcome: 'refused', why: 'NotAuthorizedException' },
    { ...common, level: 'INFO', outcome: 'tokens', user: expect.stringMatching(/^[0-9a-f]{16}$/) },
    { ...common, level: 'WARN', outcome: 'refused', why: 'NotAuthorizedException' },
    { ...common, level: 'WARN', outcome: 'disabled', why: 'NotAuthorizedException' },
  ]);
  const [first, second, stranger, third] = lines.map(({ account }) => account);
  expect([second, third]).toEqual([first, first]);
  expect(stranger).not.toBe(first);
  // The line of the request has the same id.
  const requests = parsed().filter(({ message, route }) => message === 'request' && route === 'POST /auth/tokens');
  expect(lines.map(({ requestId }) => requestId)).toEqual(requests.map(({ requestId }) => requestId));
  expect(own.state.lines.join('\n')).not.toContain(username);
  expect(own.state.lines.join('\n')).not.toContain(right);
});

test('the code is a factor of its own; a lock and a silent Cognito are reasons, too', async () => {
  const { username, password: right } = await newPhysician(own.stage);
  const secret = await enrol(own.stage, { username, password: right }, own.state.now);
  own.state.now += 30_000;
  own.state.lines = [];
  const { session } = (await own.issue(password(username, right))).body.detail;
  const code = codeAt(secret, stepAt(own.state.now));
  const wrong = code === '000000' ? '000001' : '000000';
  await own.issue({ grantType: 'totp', session, code: wrong });
  await own.issue({ grantType: 'totp', session, code });
  await own.issue({
    grantType: 'totp',
    session: waitingSignIns(own.stage).seal({ username: 'x', session: 's'.repeat(20) }),
    code,
  });
  expect(signInLines()).toMatchObject([
    { factor: 'password', outcome: 'totp' },
    { factor: 'totp', outcome: 'wrong-code', why: 'CodeMismatchException' },
    { factor: 'totp', outcome: 'tokens' },
    { factor: 'totp', outcome: 'refused' },
  ]);

  own.state.lines = [];
  const unknown = `${randomUUID()}@example.com`;
  for (let index = 0; index < 11; index += 1) await own.issue(password(unknown, `wrong-${index}`));
  expect(signInLines().at(-1)).toMatchObject({ factor: 'password', outcome: 'locked' });
  const counted = parsed().filter(({ message }) => message === 'request');
  expect(counted.map(({ signInRefused, signInLocked }) => [signInRefused, signInLocked])).toEqual([
    ...Array.from({ length: 10 }, () => [1, 0]),
    [0, 1],
  ]);
});

test('a recovery code is one, too', async () => {
  await own.send('POST', '/auth/recovery-codes/use', {
    body: { username: 'physician@example.com', password: 'not-the-password', recoveryCode: 'x' },
  });
  expect(signInLines()).toMatchObject([{ factor: 'recovery_code', outcome: 'refused', why: 'NotAuthorizedException' }]);
});

test('a sign-in that cannot be kept is a sign-in all the same, and is counted', async () => {
  const { username, password: right } = await newPhysician(own.stage);
  broken.signIns = true;
  const { status, body } = await own.issue(password(username, right));
  expect(status).toBe(200);
  const request = parsed().find(({ message, signInNotKept }) => message === 'request' && signInNotKept === 1);
  expect(request).toMatchObject({ level: 'WARN', status: 200, error: { name: expect.any(String) } });
  broken.signIns = false;
  const kept = async () => (await own.send('GET', '/users/me/sign-ins', { bearer: body.accessToken })).body.items;
  expect(await kept()).toEqual([]);
  await own.issue(password(username, right));
  expect(await kept()).toHaveLength(1);
});

test('a request without the permission is counted for the whole application', async () => {
  const { username, password: right } = await newPhysician(own.stage);
  const { accessToken } = (await own.issue(password(username, right))).body;
  expect((await own.send('GET', '/admin/staff', { bearer: accessToken })).status).toBe(403);
  const line = parsed().find(({ code }) => code === 'FORBIDDEN') ?? {};
  expect(line).toMatchObject({ forbidden: 1, application: 'medinfo' });
  expect(line).toMatchObject({
    _aws: {
      CloudWatchMetrics: [
        {
          Namespace: 'MobileHealth',
          Dimensions: [['application']],
          Metrics: [{ Name: 'forbidden', Unit: 'Count' }],
        },
      ],
    },
  });
});
