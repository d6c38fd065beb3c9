import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminInitiateAuthCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, describe, expect, test } from 'vitest';
import type { Application } from '../../lib/contract/register.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { alteredAssembly } from '../local/stage/altered.ts';
import { administration, openStage, ownStage, poolOf } from './stage.ts';

/** What a thief has who stole an access token of 15 minutes, and what is left when the trigger that takes its scope is lost. */

const patient = { username: 'patient@example.com', password: 'patient-patient' };
const physician = { username: 'physician@example.com', password: 'physician-physician' };
const own = await openStage();
afterAll(() => own.stage.close());

type Own = typeof own;

/** Cognito's public address: no signature, no firewall, none of our functions. */
async function atCognito({ stage }: Own, action: string, body: object) {
  const answer = await fetch(stage.issuer.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': `AWSCognitoIdentityProviderService.${action}`,
    },
    body: JSON.stringify(body),
  });
  const {
    __type: type,
    message,
    AuthenticationResult,
  } = (await answer.json()) as {
    __type?: string;
    message?: string;
    AuthenticationResult?: { AccessToken?: string };
  };
  return { status: answer.status, type, message, ...(AuthenticationResult && { tokens: AuthenticationResult }) };
}

/** A sign-in at Cognito itself, as our functions sign people in. */
async function inPool({ stage }: Own, application: Application, { username, password }: typeof patient) {
  const pool = stage.model().userPools.find(({ id }) => id === poolOf(stage, application));
  const clients = Object.fromEntries((pool?.clients ?? []).map(({ name, id }) => [name, id]));
  const { AuthenticationResult: tokens } = await administration(stage).send(
    new AdminInitiateAuthCommand({
      UserPoolId: pool?.id,
      ClientId: clients['mobile-app'],
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: password },
    }),
  );
  return { clients, tokens };
}

const signIn = (at: Own, who: typeof patient, application: Application) =>
  at.issue({ grantType: 'password', ...who }, application);

/** Every operation of Cognito that a user's own token authorizes: the list of decision 57. */
const selfService: Readonly<Record<string, object>> = {
  AssociateSoftwareToken: {},
  ChangePassword: { PreviousPassword: patient.password, ProposedPassword: 'the-thief-chose-this' },
  CompleteWebAuthnRegistration: { Credential: {} },
  ConfirmDevice: { DeviceKey: 'a' },
  DeleteUser: {},
  DeleteUserAttributes: { UserAttributeNames: ['email'] },
  DeleteWebAuthnCredential: { CredentialId: 'a' },
  ForgetDevice: { DeviceKey: 'a' },
  GetDevice: { DeviceKey: 'a' },
  GetUser: {},
  GetUserAttributeVerificationCode: { AttributeName: 'email' },
  GetUserAuthFactors: {},
  GlobalSignOut: {},
  ListDevices: {},
  ListWebAuthnCredentials: {},
  SetUserMFAPreference: { SoftwareTokenMfaSettings: { Enabled: false } },
  SetUserSettings: { MFAOptions: [] },
  StartWebAuthnRegistration: {},
  UpdateDeviceStatus: { DeviceKey: 'a' },
  UpdateUserAttributes: { UserAttributes: [{ Name: 'email', Value: 'thief@example.com' }] },
  VerifySoftwareToken: { UserCode: '123456' },
  VerifyUserAttribute: { AttributeName: 'email', Code: '123456' },
};

describe.each([
  ['sleepcare', patient],
  ['medinfo', physician],
] as const)('a stolen access token of %s', (application, who) => {
  test.each(['of a sign-in', 'of a renewal'])('%s opens nothing at Cognito', async (from) => {
    const asked = await signIn(own, who, application);
    expect(asked.status).toBe(200);
    const first = asked.body;
    const renewed = await own.issue({ grantType: 'refresh_token', refreshToken: first.refreshToken }, application);
    const { accessToken, refreshToken } = from === 'of a sign-in' ? first : renewed.body;
    for (const [action, more] of Object.entries(selfService)) {
      expect(await atCognito(own, action, { AccessToken: accessToken, ...more }), action).toEqual({
        status: 400,
        type: 'NotAuthorizedException',
        message: 'Access Token does not have required scopes',
      });
    }
    // Nothing has changed, and the token still serves at our API.
    expect((await signIn(own, who, application)).status).toBe(200);
    expect((await own.send('GET', '/users/me', { bearer: accessToken, application })).status).toBe(200);
    expect((await own.issue({ grantType: 'refresh_token', refreshToken }, application)).status).toBe(200);
  });
});

test('a renewal at Cognito itself gives no scope, whatever the call says', async () => {
  const { clients, tokens } = await inPool(own, 'sleepcare', patient);
  const { tokens: renewed } = await atCognito(own, 'GetTokensFromRefreshToken', {
    ClientId: clients['mobile-app'],
    RefreshToken: tokens?.RefreshToken,
    ClientMetadata: { clientId: clients['own-account'], OWN_ACCOUNT_CLIENT_ID: clients['mobile-app'] },
  });
  expect(renewed?.AccessToken).toMatch(/^eyJ/);
  const looked = await atCognito(own, 'GetUser', { AccessToken: renewed?.AccessToken });
  expect(looked).toMatchObject({ status: 400, message: 'Access Token does not have required scopes' });
});

test('through our API a stolen token neither turns a second factor off nor binds another app: it needs password and code', async () => {
  const { send, stage, state } = own;
  const { accessToken: bearer } = (await signIn(own, patient, 'sleepcare')).body;
  const call = (path: string, body: object) =>
    send('POST', `/users/me/second-factor${path}`, { body, bearer, application: 'sleepcare' });
  const { password } = patient;
  /** Of the next step: each code works once. */
  const next = (secret: string) => {
    state.now += 30_000;
    return codeAt(secret, stepAt(state.now));
  };
  expect((await call('', {})).body.code).toBe('VALIDATION_FAILED');
  expect((await call('', { password: 'a-guess-of-the-thief' })).body.code).toBe('PASSWORD_WRONG');
  const { secret } = (await call('', { password })).body;
  expect((await call('/verify', { password, code: next(secret) })).body).toEqual({ enabled: true });

  for (const path of ['', '/verify', '/remove']) {
    const body = { password, code: '123456' };
    expect((await call(path, body)).body.code, path).toBe('PRESENT_CODE_REQUIRED');
    const wrong = next(secret) === '000000' ? '000001' : '000000';
    expect((await call(path, { ...body, presentCode: wrong })).body.code, path).toBe('PRESENT_CODE_INVALID');
  }
  const change = (more: object) =>
    send('PUT', '/users/me/password', {
      body: { currentPassword: password, password: 'the-thief-chose-this', ...more },
      bearer,
      application: 'sleepcare',
    });
  expect((await change({})).body.code).toBe('PRESENT_CODE_REQUIRED');
  expect((await signIn(own, patient, 'sleepcare')).body.code).toBe('TOTP_REQUIRED');

  // The owner replaces the app, with a code of each, and turns it off with a code of the new one.
  const other = (await call('', { password, presentCode: next(secret) })).body.secret;
  const presentCode = next(secret);
  const replaced = await call('/verify', { password, presentCode, code: codeAt(other, stepAt(state.now)) });
  expect(replaced.body).toEqual({ enabled: true });
  expect((await call('/remove', { password, presentCode: next(secret) })).body.code).toBe('PRESENT_CODE_INVALID');
  expect((await call('/remove', { password, presentCode: next(other) })).body).toEqual({ enabled: false });
  // Without an app the call succeeds as well.
  expect((await call('/remove', { password })).body).toEqual({ enabled: false });
  own.reset();
  expect((await signIn(own, patient, 'sleepcare')).status).toBe(200);
  expect(stage.model().userPools.length).toBe(2);
});

test('the token of the sign-in inside a function is revoked at the end, also after a failure', async () => {
  const { send, state } = own;
  const { accessToken: bearer } = (await signIn(own, patient, 'sleepcare')).body;
  const revoked: unknown[] = [];
  const begun: unknown[] = [];
  state.fault = ({ action, input }) => {
    if (action === 'RevokeToken') revoked.push(input.ClientId);
    if (action === 'AdminInitiateAuth') begun.push(input.ClientId);
    return undefined;
  };
  const body = { password: patient.password, code: '123456' };
  const path = '/users/me/second-factor/verify';
  const { code } = (await send('POST', path, { body, bearer, application: 'sleepcare' })).body;
  expect(code).toBe('SECOND_FACTOR_INVALID');
  own.reset();
  const client = own.stage
    .model()
    .userPools.flatMap(({ id, clients }) => (id === poolOf(own.stage, 'sleepcare') ? clients : []))
    .find(({ name }) => name === 'own-account');
  expect([begun, revoked]).toEqual([[client?.id], [client?.id]]);
});

describe('503 and never 401', () => {
  const unavailable = { status: 503, body: { code: 'UNAVAILABLE' } };

  test.each([
    ['fails', "export const handler = async () => { throw new Error('Incorrect username or password.'); };"],
    ['answers nothing', 'export const handler = async () => null;'],
    ['ends its process', 'export const handler = () => process.exit(1);'],
  ])('where the trigger %s; afterwards the session goes on', async (_, source) => {
    const { stage, issue } = own;
    const { refreshToken } = (await signIn(own, patient, 'sleepcare')).body;
    const operation = 'pre-token-generation';
    const deployed = stage.model().functions.find((fn) => fn.operation === operation)?.codeDir ?? '';
    const broken = mkdtempSync(join(tmpdir(), 'trigger-'));
    writeFileSync(join(broken, 'index.mjs'), source);
    stage.replaceCode(operation, broken);
    expect(await signIn(own, patient, 'sleepcare')).toMatchObject(unavailable);
    const renewal = { grantType: 'refresh_token', refreshToken };
    expect(await issue(renewal, 'sleepcare')).toMatchObject(unavailable);
    stage.replaceCode(operation, deployed);
    expect((await issue(renewal, 'sleepcare')).status).toBe(200);
  });

  test('where Lambda throttles the trigger, or Cognito may not call it', async () => {
    const { state } = own;
    state.fault = ({ action }) =>
      action === 'AdminInitiateAuth' ? { exception: 'UnexpectedLambdaException' } : undefined;
    expect(await signIn(own, patient, 'sleepcare')).toMatchObject(unavailable);
    own.reset();
    const { stage, issue } = await ownStage();
    await stage.adopt(
      await alteredAssembly((resources) => {
        for (const [id, { Type, Properties }] of Object.entries(resources))
          if (Type === 'AWS::Lambda::Permission' && Properties.Principal === 'cognito-idp.amazonaws.com')
            delete resources[id];
      }),
    );
    expect(await issue({ grantType: 'password', ...patient }, 'sleepcare')).toMatchObject(unavailable);
  });
});

test('a lost trigger locks: nobody gets a token, a token with the scope opens no route, and sessions outlast it', async () => {
  const lost = await ownStage();
  const { stage, send, state } = lost;
  const [one, other] = [await signIn(lost, physician, 'medinfo'), await signIn(lost, physician, 'medinfo')];
  await stage.adopt(
    await alteredAssembly((resources) => {
      for (const { Type, Properties } of Object.values(resources))
        if (Type === 'AWS::Cognito::UserPool') delete Properties.LambdaConfig;
    }),
  );
  const revoked: string[] = [];
  state.fault = ({ action, input }) => {
    if (action === 'RevokeToken') revoked.push(String(input.Token));
    return undefined;
  };
  expect((await signIn(lost, patient, 'sleepcare')).status).toBe(503);
  const renewals = [
    () => lost.issue({ grantType: 'refresh_token', refreshToken: one.body.refreshToken }),
    () => send('GET', '/auth/tokens/md/access', { bearer: other.body.refreshToken }),
  ];
  for (const renew of renewals) {
    const answer = await renew();
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(JSON.stringify(answer.body)).not.toContain('eyJ');
  }
  // Cognito's refresh token of the sign-in. Those of the sessions stay in their rows.
  expect(revoked).toHaveLength(1);

  for (const [application, who] of [
    ['sleepcare', patient],
    ['medinfo', physician],
  ] as const) {
    const { tokens } = await inPool(lost, application, who);
    const bearer = tokens?.AccessToken ?? '';
    expect(await atCognito(lost, 'GetUser', { AccessToken: bearer })).toMatchObject({ status: 200 });
    const answer = await send('GET', '/users/me', { bearer, application });
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    if (application === 'medinfo') expect((await send('GET', '/auth/tokens/md/access', { bearer })).status).toBe(401);
  }

  lost.reset();
  await stage.adopt(await alteredAssembly(() => undefined));
  for (const renew of renewals) {
    const { status, body } = await renew();
    expect(status).toBe(200);
    expect(await atCognito(lost, 'GetUser', { AccessToken: body.accessToken })).toMatchObject({ status: 400 });
  }
});
