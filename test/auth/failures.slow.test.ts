import { createHook } from 'node:async_hooks';
import { AdminDisableUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { UserPoolCall, UserPoolFault } from '../../lib/local/identity/cognito/front.ts';
import { eventually } from '../eventually.ts';
import { administration, openStage, ownStage, poolOf, waitingSignIns } from './stage.ts';

const patient = { username: 'patient@example.com', password: 'patient-patient' };
const physician = { username: 'physician@example.com', password: 'physician-physician' };

const own = await openStage({ patience: 1 });
afterEach(() => own.reset());
afterAll(() => own.stage.close());

/** With the limits of AWS the first sign-in of a stage takes too long on a busy machine. */
async function signedIn(issue: (typeof own)['issue']) {
  return eventually(async () => {
    const { status, body } = await issue({ grantType: 'password', ...physician });
    expect(status).toBe(200);
    return body;
  });
}

const unavailable = { status: 503, body: { code: 'UNAVAILABLE', detail: null } };

test.each<[string, UserPoolFault]>([
  ['throttles', 'throttle'],
  ['counts too many attempts', 'limit'],
  ['is changing the same user', { exception: 'ConcurrentModificationException' }],
  ['fails', 'error'],
  ['hangs', 'hang'],
])('where Cognito %s, each route is 503 with Retry-After', async (_name, fault) => {
  const { issue, send, state } = own;
  const { refreshToken } = await signedIn(issue);
  const session = waitingSignIns(own.stage).seal({ username: 'x', session: 's'.repeat(20) });
  state.fault = () => fault;
  const answers = await Promise.all([
    issue({ grantType: 'password', ...patient }),
    issue({ grantType: 'refresh_token', refreshToken }),
    issue({ grantType: 'totp', session, code: '123456' }),
    issue({ grantType: 'totp_setup', session, code: '123456' }),
    send('POST', '/auth/tokens/revoke', { body: { refreshToken } }),
    send('GET', '/auth/tokens/md/access', { bearer: refreshToken }),
  ]);
  for (const answer of answers) {
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get('retry-after')).toBe('5');
  }
});

test('if Cognito cannot be reached, no token is checked and no session renewed: 503, never 401', async () => {
  const { stage, issue, send } = await ownStage({ patience: 1 });
  const grant = { grantType: 'password', ...physician };
  const { accessToken, refreshToken } = await signedIn(issue);
  await stage.issuer.close();
  const answers = await Promise.all([
    issue(grant),
    send('GET', '/auth/tokens/md/access', { bearer: accessToken }),
    send('GET', '/auth/tokens/md/access', { bearer: refreshToken }),
    send('POST', '/auth/tokens/revoke', { body: { refreshToken } }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject(unavailable);
});

test('one throttled call is tried again', async () => {
  let calls = 0;
  own.state.fault = () => {
    calls += 1;
    return calls === 1 ? 'throttle' : undefined;
  };
  expect((await own.issue({ grantType: 'password', ...patient }, 'sleepcare')).status).toBe(200);
});

/** Counts the hashes of passwords that the user pools derive, which is what the answer to a sign-in waits for. */
function derivations() {
  const counted = { count: 0 };
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') counted.count += 1;
    },
  }).enable();
  onTestFinished(() => void hook.disable());
  return counted;
}

test('neither the answer nor its time shows an unknown user: the same steps are taken', async () => {
  const { issue, state } = own;
  // The first sign-in makes the pool's seeded users.
  await issue({ grantType: 'password', ...patient }, 'sleepcare');
  const derived = derivations();
  const calls: UserPoolCall[] = [];
  state.fault = (call) => void calls.push(call);
  const stepsOf = async (username: string) => {
    [derived.count, calls.length] = [0, 0];
    const answer = await issue({ grantType: 'password', username, password: 'not-the-password' }, 'sleepcare');
    const headers = [...answer.headers.keys()].sort();
    const called = calls.map(({ action, accessKeyId, input }) => ({ action, accessKeyId, input }));
    const text = JSON.stringify(called).replaceAll(username, 'username');
    return { status: answer.status, headers, body: answer.body, called: JSON.parse(text), derived: derived.count };
  };
  const known = await stepsOf(patient.username);
  expect(known).toMatchObject({ status: 401, called: [{ action: 'AdminInitiateAuth' }], derived: 1 });
  expect(await stepsOf(`x${patient.username}`)).toEqual(known);
});

describe('a refresh token', () => {
  test('renews nothing for a user who was disabled, and the password does not work either', async () => {
    const { stage, issue } = own;
    // Not the patient, whom the other tests sign in.
    const developer = { username: 'developer@example.com', password: 'developer-developer' };
    const { refreshToken } = (await issue({ grantType: 'password', ...developer }, 'sleepcare')).body;
    const user = { UserPoolId: poolOf(stage, 'sleepcare'), Username: developer.username };
    await administration(stage).send(new AdminDisableUserCommand(user));
    const refused = (code: string, detail: object | null) => ({ status: 401, body: { code, detail } });
    const renewed = await issue({ grantType: 'refresh_token', refreshToken }, 'sleepcare');
    expect(renewed).toMatchObject(refused('INVALID_GRANT', { reason: 'ended' }));
    const anew = await issue({ grantType: 'password', ...developer }, 'sleepcare');
    expect(anew).toMatchObject(refused('ACCOUNT_DISABLED', null));
  });
});

test('no password, token, session, code or user name is in any log or in the body of any error', async () => {
  const errors: string[] = [];
  const { issue, send, state } = own;
  const canary = 'canary-4711';
  const session = waitingSignIns(own.stage).seal({ username: canary, session: `session-of-${canary}` });
  const { username, password } = physician;
  const signedIn = (await issue({ grantType: 'password', username, password })).body;
  const signedOut = (await issue({ grantType: 'password', username, password })).body;
  const renewed = await send('GET', '/auth/tokens/md/access', { bearer: signedIn.refreshToken });
  const secrets = [
    canary,
    session,
    '471147',
    String(password),
    'example.com',
    signedIn.accessToken,
    signedIn.refreshToken,
  ];
  secrets.push(renewed.body.accessToken, renewed.body.refreshToken, '"eyJ', ' eyJ', 'mhrt1.');

  // The last is one that no function expects, and Cognito's message quotes all that was sent.
  const unexpected = { exception: 'InvalidSmsRoleTrustRelationshipException' };
  for (const fault of [undefined, 'throttle', 'limit', 'error', unexpected] as const) {
    state.fault = () => fault;
    const answers = await Promise.all([
      issue({ grantType: 'password', username, password: canary }),
      issue({ grantType: 'password', username: canary, password: canary }),
      issue({ grantType: 'password', username: `${canary}@example.com`, password: { canary } }),
      issue({ grantType: canary, [canary]: canary }),
      issue({ grantType: 'refresh_token', refreshToken: canary }),
      issue({ grantType: 'refresh_token', refreshToken: [canary] }),
      issue({ grantType: 'totp', username: canary, session, code: '471147' }),
      issue({ grantType: 'totp_setup', username: canary, session, code: '471147' }),
      issue({ grantType: 'totp_setup', username: canary, session, code: canary }),
      send('POST', '/auth/tokens/revoke', { body: { refreshToken: canary.repeat(1000) } }),
      send('POST', '/auth/tokens/revoke', { body: { refreshToken: `${canary}ü` } }),
      // Cognito is only asked about a session by a token of ours.
      issue({ grantType: 'refresh_token', refreshToken: signedIn.refreshToken }),
      send('POST', '/auth/tokens/revoke', { body: { refreshToken: signedOut.refreshToken } }),
      send('GET', '/auth/tokens/md/access', { bearer: signedIn.refreshToken }),
      send('GET', '/auth/tokens/md/access', { bearer: canary }),
      send('GET', '/auth/tokens/md/access', { bearer: `${signedIn.accessToken}x` }),
      send('GET', `/auth/tokens/md/access?token=${canary}`, { bearer: `${canary}.x.y` }),
    ]);
    errors.push(...answers.filter(({ status }) => status !== 200).map(({ text }) => text));
  }
  const { lines } = state;
  expect(lines.length).toBeGreaterThan(50);
  expect(errors.length).toBeGreaterThan(50);
  // Password twice, refresh token, code twice, revocation and bearer.
  const masked = lines.filter((line) => line.includes('UserPool.InvalidSmsRoleTrustRelationshipException'));
  expect(masked.length).toBeGreaterThanOrEqual(7);
  for (const secret of secrets) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(errors.filter((text) => text.includes(secret))).toEqual([]);
  }
});
