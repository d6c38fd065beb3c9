import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AdminDisableUserCommand,
  AdminInitiateAuthCommand,
  AdminUserGlobalSignOutCommand,
  GlobalSignOutCommand,
  RevokeTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seededUsers } from '../../../functions/product.ts';
import { answerToken } from '../../../lib/local/identity/token-route.ts';
import { cognito, password, payloadOf } from './cognito.ts';
import { client, identityModel, pool, poolIds } from './model.ts';

const patient = 'patient@example.com';
const refused = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };
const invalidToken = { name: 'NotAuthorizedException', message: 'Invalid Refresh Token.' };

describe('AdminInitiateAuth', () => {
  test('gives tokens as Cognito makes them, whose user name is the random one', async () => {
    const { create, signIn } = await cognito();
    const sub = await create(patient, password, { groups: ['patient'] });
    const { AuthenticationResult: result } = await signIn(patient, password);
    expect(result).toMatchObject({ ExpiresIn: 900, TokenType: 'Bearer' });
    expect(result?.RefreshToken?.split('.')).toHaveLength(5);
    const { iat, exp, ...claims } = payloadOf(result?.AccessToken);
    expect(exp - iat).toBe(900);
    expect(claims).toMatchObject({ sub, username: sub, 'cognito:groups': ['patient'], client_id: 'appclient' });
    expect((await signIn(sub, password)).AuthenticationResult).toBeTruthy();
    expect((await signIn(patient.toUpperCase(), password)).AuthenticationResult).toBeTruthy();
  });

  test('does not tell an unknown user from a wrong password, unless the client is of the old kind', async () => {
    const { create, signIn } = await cognito();
    await create(patient, password);
    await expect(signIn(patient, 'wrong')).rejects.toMatchObject(refused);
    await expect(signIn('nobody@example.com', 'wrong')).rejects.toMatchObject(refused);
    const legacy = pool('sleepcare', {
      clients: [client('appclient', 'mobile-app', { preventsExistenceErrors: false })],
    });
    const old = await cognito({ pools: [legacy] });
    await expect(old.signIn('nobody@example.com', 'wrong')).rejects.toMatchObject({ name: 'UserNotFoundException' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['another pool', { UserPoolId: 'eu-central-1_nothing' }, 'ResourceNotFoundException'],
    ['another client', { ClientId: 'nothing' }, 'ResourceNotFoundException'],
    ['the client of another pool', { ClientId: 'crmclient' }, 'ResourceNotFoundException'],
    ['another flow', { AuthFlow: 'USER_SRP_AUTH' }, 'InvalidParameterException'],
  ])('of %s is refused', async (_name, more, name) => {
    const { signIn } = await cognito();
    await expect(signIn(patient, password, more)).rejects.toMatchObject({ name });
  });

  test('needs the flow that the template allows, a name and a password', async () => {
    const closed = await cognito({
      pools: [pool('sleepcare', { clients: [client('appclient', 'x', { authFlows: [] })] })],
    });
    const message = 'Auth flow not enabled for this client';
    await expect(closed.signIn(patient, password)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message,
    });
    const { client: sdk } = await cognito();
    const command = new AdminInitiateAuthCommand({
      UserPoolId: poolIds.sleepcare,
      ClientId: 'appclient',
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: patient },
    });
    await expect(sdk.send(command)).rejects.toMatchObject({ message: 'Missing required parameter PASSWORD' });
  });

  test('of a disabled user is refused, and so is what that user had', async () => {
    const { client: sdk, create, signIn, renew } = await cognito();
    await create(patient, password);
    const { AuthenticationResult: result } = await signIn(patient, password);
    await sdk.send(new AdminDisableUserCommand({ UserPoolId: poolIds.sleepcare, Username: patient }));
    await expect(signIn(patient, password)).rejects.toMatchObject({ message: 'User is disabled.' });
    await expect(renew(result?.RefreshToken)).rejects.toMatchObject(invalidToken);
  });
});

describe('GetTokensFromRefreshToken', () => {
  test('replaces the token, which works for the grace of its client and then no more', async () => {
    const { create, signIn, renew, pass } = await cognito();
    await create(patient, password);
    const { AuthenticationResult: first } = await signIn(patient, password);
    const { AuthenticationResult: second } = await renew(first?.RefreshToken);
    expect(second?.RefreshToken).not.toBe(first?.RefreshToken);
    expect(payloadOf(second?.AccessToken).origin_jti).toBe(payloadOf(first?.AccessToken).origin_jti);
    pass(59_999);
    expect((await renew(first?.RefreshToken)).AuthenticationResult).toBeTruthy();
    pass(1);
    await expect(renew(first?.RefreshToken)).rejects.toMatchObject({ name: 'RefreshTokenReuseException' });
    expect((await renew(second?.RefreshToken)).AuthenticationResult).toBeTruthy();
  });

  test('keeps the token where the client does not rotate', async () => {
    const fixed = client('appclient', 'mobile-app', { rotationGraceSeconds: null });
    const { create, signIn, renew } = await cognito({ pools: [pool('sleepcare', { clients: [fixed] })] });
    await create(patient, password);
    const { RefreshToken } = (await signIn(patient, password)).AuthenticationResult ?? {};
    expect((await renew(RefreshToken)).AuthenticationResult).not.toHaveProperty('RefreshToken');
    expect((await renew(RefreshToken)).AuthenticationResult).toBeTruthy();
  });

  test('ends with the first token, is the client’s own, and takes only a token', async () => {
    const { create, signIn, renew, pass } = await cognito();
    await create(patient, password);
    const { RefreshToken } = (await signIn(patient, password)).AuthenticationResult ?? {};
    await expect(renew(RefreshToken, 'toolsclient')).rejects.toMatchObject(invalidToken);
    await expect(renew('a.b.c.d.e')).rejects.toMatchObject(invalidToken);
    await expect(renew('ü')).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(renew(RefreshToken, 'nothing')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    pass(30 * 86_400_000);
    await expect(renew(RefreshToken)).rejects.toMatchObject({ message: 'Refresh Token has expired' });
  });
});

describe('the end of a session', () => {
  test('RevokeToken ends it with all tokens that it gave, and takes an unknown one for done', async () => {
    const { client: sdk, create, signIn, renew } = await cognito();
    await create(patient, password);
    const { AuthenticationResult: first } = await signIn(patient, password);
    const { AuthenticationResult: second } = await renew(first?.RefreshToken);
    const revoke = (Token: string | undefined) => sdk.send(new RevokeTokenCommand({ ClientId: 'appclient', Token }));
    await revoke(second?.RefreshToken);
    for (const each of [first, second]) await expect(renew(each?.RefreshToken)).rejects.toMatchObject(invalidToken);
    await revoke('a.b.c.d.e');
    await expect(revoke(first?.AccessToken)).rejects.toMatchObject({ name: 'UnsupportedTokenTypeException' });
  });

  test('a global sign-out ends them all', async () => {
    const { client: sdk, create, signIn, renew } = await cognito();
    await create(patient, password);
    const signOut = { UserPoolId: poolIds.sleepcare, Username: patient };
    const one = (await signIn(patient, password)).AuthenticationResult;
    await sdk.send(new AdminUserGlobalSignOutCommand(signOut));
    const two = (await signIn(patient, password)).AuthenticationResult;
    await sdk.send(new GlobalSignOutCommand({ AccessToken: two?.AccessToken }));
    for (const each of [one, two]) await expect(renew(each?.RefreshToken)).rejects.toMatchObject(invalidToken);
    const forged = new GlobalSignOutCommand({ AccessToken: `${two?.AccessToken}x` });
    await expect(sdk.send(forged)).rejects.toMatchObject({ message: 'Invalid Access Token' });
  });
});

describe('users who are there from the start', () => {
  test('sign in, and /_local/token gives tokens of the same user', async () => {
    const { issuer, signIn } = await cognito({ users: seededUsers });
    const { text } = await answerToken(new URLSearchParams({ user: patient }), issuer, seededUsers);
    const { AuthenticationResult: result } = await signIn(patient, 'patient-patient');
    expect(payloadOf(result?.AccessToken).sub).toBe(payloadOf(text).sub);
    expect(payloadOf(result?.AccessToken)['cognito:groups']).toEqual(['patient']);
  });

  test('have passwords that fit the pools’ policies, and groups that the template has', () => {
    for (const { password: each } of seededUsers) expect(each.length).toBeGreaterThanOrEqual(12);
    expect(new Set(seededUsers.map(({ name, application }) => `${name} ${application}`)).size).toBe(seededUsers.length);
  });
});

test('users and sessions outlive a restart where the data is kept', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cognito-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await cognito({ dataDir, users: seededUsers });
  const sub = await first.create('kept@example.com', password, { groups: ['patient'] });
  const { RefreshToken } = (await first.signIn('kept@example.com', password)).AuthenticationResult ?? {};
  await first.issuer.close();
  const second = await cognito({ dataDir, users: seededUsers });
  const { AuthenticationResult: result } = await second.renew(RefreshToken);
  expect(payloadOf(result?.AccessToken)).toMatchObject({ sub, 'cognito:groups': ['patient'] });
  expect(await second.issuer.subject('sleepcare', 'kept@example.com')).toBe(sub);
  await expect(second.signIn('kept@example.com', 'wrong')).rejects.toMatchObject(refused);
});

test('the pools of the test are those of the model', () => {
  expect(identityModel.userPools.map(({ id }) => id)).toEqual(Object.values(poolIds));
});
