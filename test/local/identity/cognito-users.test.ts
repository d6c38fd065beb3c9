import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminRespondToAuthChallengeCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  AssociateSoftwareTokenCommand,
  ChangePasswordCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolCommand,
  GetUserCommand,
  ListUsersCommand,
  RevokeTokenCommand,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, test } from 'vitest';
import { cognito, password } from './cognito.ts';
import { pool, poolIds } from './model.ts';

const UserPoolId = poolIds.sleepcare;
const ada = { UserPoolId, Username: 'ada@example.com' };

test('a user is created, signs in with only a temporary password, and gets a permanent one', async () => {
  const { client, signIn } = await cognito();
  const create = new AdminCreateUserCommand({ ...ada, TemporaryPassword: 'temporary-one', MessageAction: 'SUPPRESS' });
  const { User } = await client.send(create);
  expect(User).toMatchObject({
    Username: expect.stringMatching(/^[0-9a-f-]{36}$/),
    Enabled: true,
    UserStatus: 'FORCE_CHANGE_PASSWORD',
    UserCreateDate: expect.any(Date),
    Attributes: [
      { Name: 'sub', Value: User?.Username },
      { Name: 'email', Value: 'ada@example.com' },
    ],
  });
  expect(await signIn('ada@example.com', 'temporary-one')).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' });
  await client.send(new AdminSetUserPasswordCommand({ ...ada, Password: password, Permanent: true }));
  expect((await signIn('ada@example.com', password)).AuthenticationResult).toBeTruthy();
  expect(await client.send(new AdminGetUserCommand(ada))).toMatchObject({
    Username: User?.Username,
    UserStatus: 'CONFIRMED',
  });
});

describe('a temporary password', () => {
  const temporary = 'temporary-one';

  async function withTemporary() {
    const found = await cognito();
    const { client, signIn } = found;
    const create = new AdminCreateUserCommand({ ...ada, TemporaryPassword: temporary, MessageAction: 'SUPPRESS' });
    await client.send(create);
    const begun = await signIn(ada.Username, temporary);
    const respond = (NEW_PASSWORD: string, Session = begun.Session) =>
      client.send(
        new AdminRespondToAuthChallengeCommand({
          UserPoolId,
          ClientId: 'appclient',
          ChallengeName: 'NEW_PASSWORD_REQUIRED',
          Session,
          ChallengeResponses: { USERNAME: begun.ChallengeParameters?.USER_ID_FOR_SRP ?? '', NEW_PASSWORD },
        }),
      );
    return { ...found, begun, respond };
  }

  test('is replaced within the sign-in, which goes on to tokens', async () => {
    const { client, signIn, begun, respond } = await withTemporary();
    expect(begun.ChallengeParameters).toMatchObject({
      requiredAttributes: '[]',
      userAttributes: '{"email":"ada@example.com"}',
    });
    await expect(respond('short')).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    expect((await respond(password)).AuthenticationResult).toBeTruthy();
    expect(await client.send(new AdminGetUserCommand(ada))).toMatchObject({ UserStatus: 'CONFIRMED' });
    await expect(respond(password)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    await expect(signIn(ada.Username, temporary)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    expect((await signIn(ada.Username, password)).AuthenticationResult).toBeTruthy();
  });

  test('is valid for the days of the policy, until another one is set', async () => {
    const { client, signIn, pass } = await withTemporary();
    pass(7 * 86_400_000);
    await expect(signIn(ada.Username, temporary)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Temporary password has expired and must be reset by an administrator.',
    });
    await client.send(new AdminSetUserPasswordCommand({ ...ada, Password: temporary, Permanent: false }));
    expect(await signIn(ada.Username, temporary)).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED' });
  });
});

describe('what Cognito refuses', () => {
  test('an address twice, be it in other letters; a name that is no address; a password against the policy', async () => {
    const { client, create } = await cognito();
    await create(ada.Username, password);
    const make = (Username: string, TemporaryPassword?: string) =>
      client.send(
        new AdminCreateUserCommand({ UserPoolId, Username, ...(TemporaryPassword && { TemporaryPassword }) }),
      );
    await expect(make('ADA@example.com')).rejects.toMatchObject({ name: 'UsernameExistsException' });
    await expect(make('ada')).rejects.toMatchObject({ message: 'Username should be an email.' });
    await expect(make('b@example.com', 'short')).rejects.toMatchObject({
      name: 'InvalidPasswordException',
      message: 'Password did not conform with policy: Password not long enough',
    });
    const set = new AdminSetUserPasswordCommand({ ...ada, Password: 'short', Permanent: true });
    await expect(client.send(set)).rejects.toMatchObject({ name: 'InvalidPasswordException' });
  });

  test.each([
    ['needsUppercase', 'uppercase'],
    ['needsLowercase', 'lowercase'],
    ['needsNumbers', 'numeric'],
    ['needsSymbols', 'symbol'],
  ])('a policy that %s', async (need, word) => {
    const { passwordPolicy } = pool('sleepcare', {});
    const { client } = await cognito({
      pools: [pool('sleepcare', { passwordPolicy: { ...passwordPolicy, [need]: true } })],
    });
    const lacking = need === 'needsLowercase' ? 'AAAAAAAAAAAA' : 'aaaaaaaaaaaa';
    const make = new AdminCreateUserCommand({ ...ada, TemporaryPassword: lacking });
    await expect(client.send(make)).rejects.toThrow(`Password must have ${word} characters`);
  });

  test('users, groups, pools and operations that are not there', async () => {
    const { client, create } = await cognito();
    await expect(client.send(new AdminGetUserCommand(ada))).rejects.toMatchObject({ name: 'UserNotFoundException' });
    await create(ada.Username, password);
    const join = new AdminAddUserToGroupCommand({ ...ada, GroupName: 'nothing' });
    await expect(client.send(join)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    const elsewhere = new ListUsersCommand({ UserPoolId: 'eu-central-1_nothing' });
    await expect(client.send(elsewhere)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(client.send(new DescribeUserPoolCommand({ UserPoolId }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

test('groups are joined and left', async () => {
  const { client, create } = await cognito();
  await create(ada.Username, password, { groups: ['patient', 'patient', 'developer'] });
  const groups = async () =>
    (await client.send(new AdminListGroupsForUserCommand(ada))).Groups?.map(({ GroupName }) => GroupName);
  expect(await groups()).toEqual(['patient', 'developer']);
  await client.send(new AdminRemoveUserFromGroupCommand({ ...ada, GroupName: 'patient' }));
  expect(await groups()).toEqual(['developer']);
});

test('users are disabled, enabled and deleted', async () => {
  const { client, create, signIn } = await cognito();
  await create(ada.Username, password);
  await client.send(new AdminDisableUserCommand(ada));
  expect(await client.send(new AdminGetUserCommand(ada))).toMatchObject({ Enabled: false });
  await client.send(new AdminEnableUserCommand(ada));
  expect((await signIn(ada.Username, password)).AuthenticationResult).toBeTruthy();
  await client.send(new AdminDeleteUserCommand(ada));
  await expect(signIn(ada.Username, password)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
});

test('ListUsers filters by one attribute, and pages', async () => {
  const { client, create } = await cognito();
  const sub = await create('ada@example.com', password);
  await create('adam@example.com', password);
  const list = async (Filter?: string, more = {}) => client.send(new ListUsersCommand({ UserPoolId, Filter, ...more }));
  const count = async (filter: string) => (await list(filter)).Users?.length;
  expect(await count('email = "ADA@example.com"')).toBe(1);
  expect(await count('email ^= "ada"')).toBe(2);
  expect(await count(`sub = "${sub}"`)).toBe(1);
  expect(await count('email = "nobody@example.com"')).toBe(0);
  await expect(list('email like "x"')).rejects.toMatchObject({ name: 'InvalidParameterException' });
  const { Users: first, PaginationToken } = await list(undefined, { Limit: 1 });
  const { Users: second, ...end } = await list(undefined, { Limit: 1, PaginationToken });
  expect(first?.[0]?.Username).not.toBe(second?.[0]?.Username);
  expect(end.PaginationToken).toBeUndefined();
});

describe('IAM', () => {
  test('decides over what an administrator does, by the access key, action and pool', async () => {
    const asked: unknown[] = [];
    const { client } = await cognito({
      authorize: ({ action, resource, accessKeyId }) => {
        asked.push([action, resource, accessKeyId]);
        return { action: `cognito-idp:${action}`, resource, principal: 'arn:role', reason: 'because no' };
      },
    });
    await expect(client.send(new AdminGetUserCommand(ada))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: `User: arn:role is not authorized to perform: cognito-idp:AdminGetUser on resource: ${pool('sleepcare', {}).arn} because no`,
    });
    expect(asked).toEqual([['AdminGetUser', pool('sleepcare', {}).arn, 'TEST']]);
  });

  test('does not over what a token or session authorizes', async () => {
    const { renew } = await cognito({ authorize: () => ({ action: 'all', resource: '*' }) });
    await expect(renew('a.b.c.d.e')).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });

  test('and what is not signed is no administrator', async () => {
    const { issuer } = await cognito();
    const answer = await fetch(issuer.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminGetUser' },
      body: JSON.stringify(ada),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { __type: 'MissingAuthenticationTokenException' },
    ]);
  });
});

describe("a user's own access token", () => {
  const changed = { PreviousPassword: password, ProposedPassword: 'another-long-password' };

  test('changes the password, with the current one, and not against the policy', async () => {
    const { client, create, signIn } = await cognito();
    await create(ada.Username, password);
    const { AccessToken } = (await signIn(ada.Username, password)).AuthenticationResult ?? {};
    const change = (more: object) => client.send(new ChangePasswordCommand({ AccessToken, ...changed, ...more }));
    await expect(change({ PreviousPassword: 'wrong' })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    await expect(change({ ProposedPassword: 'short' })).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    await expect(change({ AccessToken: 'a.b.c' })).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    await change({});
    expect((await signIn(ada.Username, changed.ProposedPassword)).AuthenticationResult).toBeTruthy();
    await expect(signIn(ada.Username, password)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });

  test.each([
    ['AdminUserGlobalSignOut', () => new AdminUserGlobalSignOutCommand(ada)],
    ['AdminDisableUser', () => new AdminDisableUserCommand(ada)],
    ['RevokeToken', (Token?: string) => new RevokeTokenCommand({ ClientId: 'appclient', Token })],
  ])('is refused after %s, and a token of a later sign-in is not', async (_name, command) => {
    const { client, create, signIn, renew } = await cognito();
    await create(ada.Username, password);
    const first = (await signIn(ada.Username, password)).AuthenticationResult;
    const renewed = (await renew(first?.RefreshToken)).AuthenticationResult;
    await client.send(command(first?.RefreshToken) as AdminUserGlobalSignOutCommand);
    await client.send(new AdminEnableUserCommand(ada));
    for (const token of [first, renewed]) {
      const AccessToken = token?.AccessToken;
      for (const ask of [
        () => client.send(new ChangePasswordCommand({ AccessToken, ...changed })),
        () => client.send(new GetUserCommand({ AccessToken })),
        () => client.send(new AssociateSoftwareTokenCommand({ AccessToken })),
        () => client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: '123456' })),
        () => client.send(new SetUserMFAPreferenceCommand({ AccessToken })),
      ]) {
        await expect(ask()).rejects.toMatchObject({
          name: 'NotAuthorizedException',
          message: 'Access Token has been revoked',
        });
      }
    }
    const { AccessToken } = (await signIn(ada.Username, password)).AuthenticationResult ?? {};
    await client.send(new ChangePasswordCommand({ AccessToken, ...changed }));
  });

  test('reads the account; a disabled and a deleted one are refused', async () => {
    const { client, create, signIn } = await cognito();
    const sub = await create(ada.Username, password);
    const { AccessToken } = (await signIn(ada.Username, password)).AuthenticationResult ?? {};
    const read = () => client.send(new GetUserCommand({ AccessToken }));
    const UserAttributes = expect.arrayContaining([{ Name: 'email', Value: ada.Username }]);
    expect(await read()).toMatchObject({ Username: sub, UserAttributes });
    await client.send(new AdminDisableUserCommand(ada));
    await expect(read()).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    await client.send(new AdminDeleteUserCommand(ada));
    await expect(read()).rejects.toMatchObject({ name: 'UserNotFoundException', message: 'User does not exist.' });
  });
});

test('a body that is no JSON object is a serialization error', async () => {
  const { issuer } = await cognito();
  for (const body of ['', '[]', '{']) {
    const headers = { 'x-amz-target': 'AWSCognitoIdentityProviderService.RevokeToken' };
    const answer = await fetch(issuer.url, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ __type: 'SerializationException' });
  }
});

test('the client of the SDK needs nothing but the address', async () => {
  const { issuer } = await cognito();
  const client = new CognitoIdentityProviderClient({
    endpoint: issuer.url,
    region: 'x',
    credentials: { accessKeyId: 'K', secretAccessKey: 's' },
  });
  expect(await client.send(new ListUsersCommand({ UserPoolId }))).toMatchObject({ Users: [] });
});
