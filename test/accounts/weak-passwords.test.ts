import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { eventually } from '../eventually.ts';
import { codeOf, invitationOf, mailNumber, mailsTo, newAddress } from '../mails.ts';
import { newAccount, password, signInOn, trySignIn } from './people.ts';

/** Wherever a password is set, the same rule holds; and staff set theirs as patients do. */

const application = 'medinfo';
const next = 'another-long-passphrase';

const rejected = (reason: string) => ({ status: 400, body: { code: 'PASSWORD_REJECTED', detail: { reason } } });

const weak = [
  ['pattern', '111111111111'],
  ['pattern', 'passwordpassword'],
  ['product-word', 'SleepCare-2026'],
  ['breached', 'sonnenschein'],
] as const;

test('at a sign-up, a reset and a change no password is refused at the cost of the code', async () => {
  const email = newAddress();
  await call('POST', '/users', { body: { email } });
  const verify = async (chosen: string) =>
    call('POST', '/users/verify', {
      body: { email, code: await codeOf(1, email), password: chosen, birthYear: 1980 },
    });
  // More than the five tries of a code.
  for (const [reason, chosen] of [...weak, ['own-data', email] as const])
    expect(await verify(chosen)).toMatchObject(rejected(reason));
  expect((await verify(password)).status).toBe(200);

  const { accessToken: token } = await signInOn('Phone', email);
  const change = (chosen: string) =>
    call('PUT', '/users/me/password', { token, body: { currentPassword: password, password: chosen } });
  for (const [reason, chosen] of [...weak, ['own-data', email] as const])
    expect(await change(chosen)).toMatchObject(rejected(reason));

  await call('POST', '/auth/password/forgot', { body: { email } });
  const code = await codeOf(2, email);
  const reset = (chosen: string) => call('POST', '/auth/password/reset', { body: { email, code, password: chosen } });
  for (const [reason, chosen] of [...weak, ['own-data', email] as const])
    expect(await reset(chosen)).toMatchObject(rejected(reason));
  expect((await trySignIn(email)).status).toBe(200);
  expect((await reset(next)).status).toBe(200);
});

async function newMember() {
  const email = newAddress();
  const admin = await client({ application, roles: 'admin' });
  const body = { email, name: 'Dr. Wilhelmina Featherstone', roles: ['physician'] };
  const { staffId, invitationCode } = (await admin.post('/admin/staff', { body })).body;
  const accept = async (chosen: string) =>
    call('POST', '/admin/staff/accept', {
      application,
      body: { ...(await invitationOf(1, email, invitationCode)), password: chosen },
    });
  return { email, staffId, admin, accept };
}

const signIn = (username: string, chosen: string) =>
  call('POST', '/auth/tokens', { application, body: { grantType: 'password', username, password: chosen } });

describe('staff', () => {
  test('choose no weak password with an invitation, and no part of their name', async () => {
    const { email, accept } = await newMember();
    for (const [reason, chosen] of [...weak, ['own-data', email] as const])
      expect(await accept(chosen)).toMatchObject(rejected(reason));
    expect(await accept('Featherstone1')).toMatchObject(rejected('own-data'));
    expect((await accept(password)).status).toBe(200);
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('change their password, and their other sessions end', async () => {
    const { email, accept } = await newMember();
    expect((await accept(password)).status).toBe(200);
    const [phone, tablet] = [(await signIn(email, password)).body, (await signIn(email, password)).body];
    const change = (currentPassword: string, chosen: string) =>
      call('PUT', '/users/me/password', {
        application,
        token: phone.accessToken,
        body: { currentPassword, password: chosen },
      });
    expect(await change('a-wrong-passphrase', next)).toMatchObject({ status: 400, body: { code: 'PASSWORD_WRONG' } });
    for (const [reason, chosen] of [...weak, ['own-data', email] as const, ['own-data', 'Wilhelmina-123'] as const])
      expect(await change(password, chosen)).toMatchObject(rejected(reason));
    expect(await change(password, next)).toMatchObject({ status: 200, body: { success: true } });
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, next)).status).toBe(200);
    const renewal = (refreshToken: string) =>
      call('POST', '/auth/tokens', { application, body: { grantType: 'refresh_token', refreshToken } });
    expect((await renewal(tablet.refreshToken)).status).toBe(401);
    expect((await renewal(phone.refreshToken)).status).toBe(200);
    expect((await mailNumber(2, email)).subject).toBe('Your password was changed');
  });

  test('reset a forgotten one with the code of a mail; all their sessions end', async () => {
    const { email, accept } = await newMember();
    expect((await accept(password)).status).toBe(200);
    const { refreshToken } = (await signIn(email, password)).body;
    const forgotten = await call('POST', '/auth/password/forgot', { application, body: { email } });
    expect(forgotten).toMatchObject({ status: 202, body: { status: 'verification-sent' } });
    const code = await codeOf(2, email);
    const reset = (chosen: string) =>
      call('POST', '/auth/password/reset', { application, body: { email, code, password: chosen } });
    expect(await reset('featherstone!')).toMatchObject(rejected('own-data'));
    // The code is of one application.
    const elsewhere = await call('POST', '/auth/password/reset', { body: { email, code, password: next } });
    expect(elsewhere.body.code).toBe('CODE_INVALID');
    expect(await reset(next)).toMatchObject({ status: 200, body: { success: true } });
    expect((await reset(next)).body.code).toBe('CODE_INVALID');
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, next)).status).toBe(200);
    const renewal = { grantType: 'refresh_token', refreshToken };
    expect((await call('POST', '/auth/tokens', { application, body: renewal })).status).toBe(401);
    expect((await mailNumber(3, email)).subject).toBe('Your password was changed');
  });

  test('get no code while they are invited or disabled, and none where their address is only a patient’s', async () => {
    const { email, staffId, admin, accept } = await newMember();
    const patient = await newAccount(newAddress());
    const nobody = `nobody-${randomUUID()}@example.com`;
    const ask = (to: string) => call('POST', '/auth/password/forgot', { application, body: { email: to } });
    for (const to of [email, patient, nobody]) expect((await ask(to)).status).toBe(202);
    expect((await accept(password)).status).toBe(200);
    expect((await ask(email)).status).toBe(202);
    // The queue is not in order: what came of the earlier requests is known once a later one has come.
    const code = await codeOf(2, email);
    await admin.post(`/admin/staff/${staffId}/disable`);
    const body = { email, code, password: next };
    expect((await call('POST', '/auth/password/reset', { application, body })).body.code).toBe('CODE_INVALID');
    expect((await ask(email)).status).toBe(202);
    await eventually(async () => expect(await mailsTo(patient)).toHaveLength(1));
    expect(await mailsTo(nobody)).toEqual([]);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'You are invited',
      'Your code for a new password',
    ]);
  });
});
