import { AdminCreateUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seededUsers } from '../../functions/product.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { eventually } from '../eventually.ts';
import { tokenIn } from '../mail/token.ts';
import { administration, enrol, newPhysician, openStage, poolOf, waitingSignIns } from './stage.ts';

const minute = 60_000;
const stages = new Map<'dev' | 'prod', Awaited<ReturnType<typeof openStage>>>();

// No other test needs prod's template, so that it is synthesized here.
beforeAll(async () => {
  await Promise.all(
    (['dev', 'prod'] as const).map(async (environment) => {
      stages.set(environment, await openStage({ environment }));
    }),
  );
});
afterEach(() => stages.forEach(({ reset }) => void reset()));
afterAll(() => Promise.all([...stages.values()].map(({ stage }) => stage.close())));

/** User pools that live in a time that the test moves, and a physician of the test's own. */
async function timed(environment: 'dev' | 'prod' = 'dev') {
  const own = stages.get(environment);
  if (!own) throw new Error(`no stage ${environment}`);
  const now = () => own.state.now;
  const pass = (milliseconds: number) => {
    own.state.now += milliseconds;
  };
  /** After an end of all sessions: to a pool that stands still for ten seconds, a sign-in after it comes before it. */
  const catchUp = () => pass(Math.max(Date.now() - own.state.now, 0));
  return { ...own, now, pass, catchUp, physician: await newPhysician(own.stage), waiting: waitingSignIns(own.stage) };
}

async function mistype(times: number, signIn: (password: string) => Promise<{ body: { code: string } }>) {
  for (let index = 0; index < times; index += 1)
    expect((await signIn(`a-wrong-passphrase-${index}`)).body.code).toBe('INVALID_CREDENTIALS');
}

describe('an account with an authenticator app', () => {
  test('signs in by password and then by code, each code once', async () => {
    const { stage, issue, now, pass, physician, waiting } = await timed();
    const { username } = physician;
    const secret = await enrol(stage, physician, now());
    pass(minute);

    const asked = await issue({ grantType: 'password', ...physician });
    expect(asked).toMatchObject({
      status: 401,
      body: { code: 'TOTP_REQUIRED', detail: { session: expect.any(String) } },
    });
    const { session } = asked.body.detail;
    const code = codeAt(secret, stepAt(now()));
    const wrong = code === '000000' ? '111111' : '000000';
    const mistyped = await issue({ grantType: 'totp', session, code: wrong });
    expect(mistyped).toMatchObject({ status: 401, body: { code: 'TOTP_INVALID', detail: null } });
    const pending = waiting.open(session);
    const carried = Buffer.from(session.slice(session.indexOf('.') + 1), 'base64url').toString('latin1');
    for (const part of [pending.session, pending.username]) expect(carried).not.toContain(part);
    expect(pending.username).toMatch(/^[0-9a-f-]{36}$/);
    for (const alias of [username, 'admin@example.com', 'nobody']) {
      const forged = waiting.seal({ session: pending.session, username: alias });
      const stranger = await issue({ grantType: 'totp', session: forged, code });
      expect(stranger).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT' } });
    }
    // A client that sends the user name as well is not asked why.
    const passed = await issue({ grantType: 'totp', username, session, code });
    expect(passed).toMatchObject({ status: 200, body: { tokenType: 'Bearer', expiresIn: 900 } });

    const again = await issue({ grantType: 'password', ...physician });
    const replayed = await issue({ grantType: 'totp', session: again.body.detail.session, code });
    expect(replayed).toMatchObject({ status: 401, body: { code: 'TOTP_INVALID' } });
    const renewed = await issue({ grantType: 'refresh_token', refreshToken: passed.body.refreshToken });
    expect(renewed.status).toBe(200);
  });

  test('presents the token of the session before with the code', async () => {
    const { stage, issue, now, pass, physician } = await timed();
    const secret = await enrol(stage, physician, now());
    const signInWith = async (more: object) => {
      pass(minute);
      const asked = await issue({ grantType: 'password', ...physician });
      const code = codeAt(secret, stepAt(now()));
      return (await issue({ grantType: 'totp', session: asked.body.detail.session, code, ...more })).body;
    };
    const { refreshToken } = await signInWith({});
    const { refreshToken: next } = await signInWith({ previousRefreshToken: refreshToken });
    const ended = await issue({ grantType: 'refresh_token', refreshToken });
    expect(ended).toMatchObject({ status: 401, body: { detail: { reason: 'ended' } } });
    expect((await issue({ grantType: 'refresh_token', refreshToken: next })).status).toBe(200);
  });

  test('takes ten wrong codes from whoever knows the password, however often the password is sent', async () => {
    const { stage, issue, now, physician, waiting } = await timed();
    const { password } = physician;
    const secret = await enrol(stage, physician, now());
    // By it the codes are counted, the session tells it, and it names the account at the sign-in, too.
    const { detail } = (await issue({ grantType: 'password', ...physician })).body;
    const userId = waiting.open(detail.session).username;
    const answers: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const begun = (await issue({ grantType: 'password', username: userId, password })).body;
      const { session } = begun.detail;
      const code = String((Number(codeAt(secret, stepAt(now()))) + 100 + index) % 1_000_000).padStart(6, '0');
      answers.push(session ? (await issue({ grantType: 'totp', session, code })).body.code : begun.code);
    }
    const locked = ['SIGN_IN_LOCKED', 'SIGN_IN_LOCKED'];
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'TOTP_INVALID'), ...locked]);
    const code = codeAt(secret, stepAt(now()));
    expect((await issue({ grantType: 'totp', session: detail.session, code })).body.code).toBe('SIGN_IN_LOCKED');
  });

  test('is never locked by the right password, also if no code follows', async () => {
    const { stage, issue, now, physician } = await timed();
    await enrol(stage, physician, now());
    for (let index = 0; index < 12; index += 1)
      expect((await issue({ grantType: 'password', ...physician })).body.code).toBe('TOTP_REQUIRED');
  });

  test('clears by a whole sign-in the wrong passwords of the name that was typed, at the set-up of the app, too', async () => {
    const { issue, now, pass, physician } = await timed('prod');
    const signIn = (password = physician.password) =>
      issue({ grantType: 'password', username: physician.username, password });
    await mistype(9, signIn);
    const { session, secret } = (await signIn()).body.detail;
    const code = () => codeAt(secret, stepAt(now()));
    expect((await issue({ grantType: 'totp_setup', session, code: code() })).status).toBe(200);
    await mistype(9, signIn);
    pass(minute);
    const next = (await signIn()).body.detail.session;
    expect((await issue({ grantType: 'totp', session: next, code: code() })).status).toBe(200);
    await mistype(9, signIn);
    expect((await signIn()).body.code).toBe('TOTP_REQUIRED');
  });

  test("clears nothing by another session's seal, nor by none", async () => {
    const { stage, issue, now, pass, physician, waiting } = await timed();
    const own = await newPhysician(stage);
    const secrets = [];
    for (const each of [physician, own]) secrets.push(await enrol(stage, each, now()));
    const signIn = (password = own.password) => issue({ grantType: 'password', ...own, password });
    const begin = async (account: typeof own) => {
      return waiting.open((await issue({ grantType: 'password', ...account })).body.detail.session);
    };
    await mistype(9, signIn);
    const [foreign, earlier] = [await begin(own), await begin(own)];
    expect(foreign.beginning).toMatch(/^[0-9a-f]{8}\.[\w-]{140}$/);
    // Of another account, of another session of the same one, none, and one that is no seal.
    for (const [index, account, beginning] of [
      [0, physician, foreign.beginning],
      [1, own, earlier.beginning],
      [1, own, undefined],
      [1, own, 'no-seal'],
    ] as const) {
      pass(minute);
      const session = waiting.seal({ ...(await begin(account)), beginning });
      const code = codeAt(secrets[index] ?? '', stepAt(now()));
      expect((await issue({ grantType: 'totp', session, code })).status).toBe(200);
    }
    expect((await signIn('a-wrong-passphrase')).body.code).toBe('INVALID_CREDENTIALS');
    expect((await signIn()).body.code).toBe('SIGN_IN_LOCKED');
  });

  test('signs nobody in whose password was typed before all sign-ins ended', async () => {
    const { stage, issue, send, now, pass, physician, waiting } = await timed();
    // The functions take a token only from its time on. What ends sign-ins compares the pool's time, too.
    pass(-5 * minute);
    const secret = await enrol(stage, physician, now());
    const begin = async () => (await issue({ grantType: 'password', ...physician })).body.detail.session;
    const finish = (session: string) => {
      pass(minute);
      return issue({ grantType: 'totp', session, code: codeAt(secret, stepAt(now())) });
    };
    const owner = await finish(await begin());
    pass(4 * minute);
    const begun = [await begin(), waiting.seal({ ...waiting.open(await begin()), beginning: undefined })];
    const ended = await send('DELETE', '/auth/sessions', { bearer: owner.body.accessToken });
    expect(ended.status).toBe(200);
    // Where nobody can say when it began, it may have been before.
    for (const session of begun) {
      const late = await finish(session);
      expect(late).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT', detail: { reason: 'ended' } } });
    }
    expect((await finish(await begin())).status).toBe(200);
  });

  test('has three minutes', async () => {
    const { stage, issue, now, pass, physician } = await timed();
    const secret = await enrol(stage, physician, now());
    const { body } = await issue({ grantType: 'password', ...physician });
    pass(3 * minute);
    const code = codeAt(secret, stepAt(now()));
    const late = await issue({ grantType: 'totp', session: body.detail.session, code });
    expect(late).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT', detail: null } });
  });
});

describe('in prod', () => {
  test('a physician gets no token before an authenticator app is set up', async () => {
    const { issue, send, now, pass, physician } = await timed('prod');
    const asked = await issue({ grantType: 'password', ...physician });
    expect(asked).toMatchObject({ status: 401, body: { code: 'TOTP_SETUP_REQUIRED' } });
    const { session, secret } = asked.body.detail;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);

    const skipped = await issue({ grantType: 'totp', session, code: codeAt(secret, stepAt(now())) });
    expect(skipped).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT' } });
    const code = codeAt(secret, stepAt(now()));
    const wrong = code === '000000' ? '111111' : '000000';
    expect((await issue({ grantType: 'totp_setup', session, code: wrong })).body.code).toBe('TOTP_INVALID');
    const set = await issue({ grantType: 'totp_setup', session, code });
    expect(set).toMatchObject({ status: 200, body: { tokenType: 'Bearer' } });
    const bearer = set.body.refreshToken;
    expect((await send('GET', '/auth/tokens/md/access', { bearer })).status).toBe(200);

    pass(minute);
    const next = await issue({ grantType: 'password', ...physician });
    expect(next.body.code).toBe('TOTP_REQUIRED');
    const passed = await issue({
      grantType: 'totp',
      session: next.body.detail.session,
      code: codeAt(secret, stepAt(now())),
    });
    expect(passed.status).toBe(200);
  });

  test('nor does an admin, while a patient needs none', async () => {
    const { issue } = await timed('prod');
    const grantOf = (role: string) => {
      const { name: username, password } = seededUsers.find(({ roles }) => roles[0] === role) ?? {};
      return { grantType: 'password', username, password };
    };
    expect((await issue(grantOf('admin'))).body.code).toBe('TOTP_SETUP_REQUIRED');
    expect((await issue(grantOf('patient'), 'sleepcare')).status).toBe(200);
  });

  test('whoever lost the app signs in with a recovery code, or after a reset with another password, and sets up another app', async () => {
    const { stage, issue, send, now, pass, catchUp } = await timed('prod');
    const setUp = async (username: string, password: string) => {
      catchUp();
      const asked = await issue({ grantType: 'password', username, password });
      expect(asked.body).toMatchObject({ code: 'TOTP_SETUP_REQUIRED' });
      const { session, secret } = asked.body.detail;
      const set = await issue({ grantType: 'totp_setup', session, code: codeAt(secret, stepAt(now())) });
      expect(set.status).toBe(200);
      return { bearer: set.body.accessToken as string, secret };
    };
    const mailedToken = async (to: string, count: number) =>
      eventually(() => {
        const mails = stage.ses?.mails((mail) => mail.to === to && mail.text.includes('/invitations#')) ?? [];
        return tokenIn(mails.at(count - 1)?.text);
      });
    const { bearer: admin } = await setUp('admin@example.com', 'admin-admin-admin');
    const email = 'phone-loser@example.com';
    const invited = await send('POST', '/admin/staff', {
      body: { email, name: 'Dr. A', roles: ['physician'] },
      bearer: admin,
    });
    const { staffId, invitationCode } = invited.body;
    const giverMails = () =>
      stage.ses?.mails(
        ({ to, subject }) => to === 'admin@example.com' && subject === 'Your account was used to give rights',
      );
    await eventually(() => expect(giverMails()?.map(({ text }) => text.includes(email))).toEqual([true]));
    const giving = () => send('PUT', `/iam/users/${staffId}/roles/researcher`, { bearer: admin });
    expect([(await giving()).status, (await giving()).status]).toEqual([200, 200]);
    await eventually(() => expect(giverMails()).toHaveLength(2));
    expect(giverMails()?.at(-1)?.text).toContain('researcher');
    const accept = async (count: number, code: string, password: string) =>
      send('POST', '/admin/staff/accept', { body: { email, token: await mailedToken(email, count), code, password } });
    const [first, second] = ['a-first-long-passphrase', 'another-long-passphrase'];
    expect((await accept(1, invitationCode, first)).status).toBe(200);

    const { bearer, secret } = await setUp(email, first);
    pass(minute);
    const typed = { password: first, presentCode: codeAt(secret, stepAt(now())) };
    const { codes } = (await send('POST', '/auth/recovery-codes', { bearer, body: typed })).body;
    const use = (recoveryCode: string, password: string) =>
      send('POST', '/auth/recovery-codes/use', { body: { username: email, password, recoveryCode } });
    expect((await issue({ grantType: 'password', username: email, password: first })).body.code).toBe('TOTP_REQUIRED');
    expect(await use(codes[0], first)).toMatchObject({ status: 200, body: { success: true } });
    await setUp(email, first);
    expect((await use(codes[0], first)).body.code).toBe('RECOVERY_CODE_INVALID');

    // Whoever has never read the own profile is written to by the address of the staff's row.
    const wasTold = () => stage.ses?.mails(({ to, subject }) => to === email && subject === 'A recovery code was used');
    await eventually(() => expect(wasTold()).toHaveLength(1));

    const reset = await send('POST', `/admin/staff/${staffId}/reset-mfa`, { bearer: admin });
    expect(reset).toMatchObject({ status: 200, body: { status: 'invited' } });
    expect((await issue({ grantType: 'password', username: email, password: first })).status).toBe(401);
    expect((await accept(2, reset.body.invitationCode, second)).status).toBe(200);
    await setUp(email, second);
    // The other nine codes went with the app that they stood for.
    expect((await use(codes[1], second)).body.code).toBe('RECOVERY_CODE_INVALID');
    const audited = await send('GET', `/admin/audit-events?subject=user/${staffId}`, { bearer: admin });
    expect(audited.body.items.map(({ action }: { action: string }) => action)).toEqual([
      'recovery-code.used',
      'recovery-codes.issued',
    ]);
  });
});

describe('if the answer to a right code is lost, it is 503, and the code does not count as wrong', () => {
  test.each<[string, 'AdminRespondToAuthChallenge' | 'VerifySoftwareToken']>([
    ['totp', 'AdminRespondToAuthChallenge'],
    ['totp_setup', 'VerifySoftwareToken'],
    ['totp_setup', 'AdminRespondToAuthChallenge'],
  ])('%s, %s', async (grantType, lost) => {
    const calls: string[] = [];
    const { issue, now, pass, physician, state } = await timed('prod');
    const begun = (await issue({ grantType: 'password', ...physician })).body.detail;
    const { secret } = begun;
    let { session } = begun;
    if (grantType === 'totp') {
      await issue({ grantType: 'totp_setup', session, code: codeAt(secret, stepAt(now())) });
      pass(minute);
      session = (await issue({ grantType: 'password', ...physician })).body.detail.session;
    }
    state.fault = ({ action }) => {
      calls.push(action);
      return action === lost ? 'lose-response' : undefined;
    };
    const answer = await issue({ grantType, session, code: codeAt(secret, stepAt(now())) });
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', detail: null } });
    expect(calls.filter((action) => action === lost)).toHaveLength(1);
  });
});

test('another challenge is named, and nothing more', async () => {
  const { stage, issue } = await timed();
  await administration(stage).send(
    new AdminCreateUserCommand({
      UserPoolId: poolOf(stage, 'sleepcare'),
      Username: 'new@example.com',
      TemporaryPassword: 'temporary-password',
    }),
  );
  const grant = { grantType: 'password', username: 'new@example.com', password: 'temporary-password' };
  const { status, body } = await issue(grant, 'sleepcare');
  expect([status, body.code, body.detail]).toEqual([401, 'CHALLENGE_REQUIRED', { challenge: 'NEW_PASSWORD_REQUIRED' }]);
  expect((await issue({ ...grant, password: 'another-password' }, 'sleepcare')).body.code).toBe('INVALID_CREDENTIALS');
});
