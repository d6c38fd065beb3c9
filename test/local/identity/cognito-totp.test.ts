import {
  AdminDeleteSoftwareTokenCommand,
  AdminGetUserCommand,
  AdminRespondToAuthChallengeCommand,
  AdminSetUserMFAPreferenceCommand,
  AssociateSoftwareTokenCommand,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../../lib/local/identity/cognito/totp.ts';
import { cognito, password } from './cognito.ts';
import { client as clientModel, pool, poolIds } from './model.ts';

const UserPoolId = poolIds.medinfo;
const ClientId = 'crmclient';
const ada = 'ada@example.com';

async function medinfo(secondFactor: 'OPTIONAL' | 'ON') {
  const made = await cognito({
    pools: [pool('medinfo', { clients: [clientModel(ClientId, 'mobile-app')], secondFactor })],
  });
  const username = await made.create(ada, password, { pool: UserPoolId });
  return {
    ...made,
    username,
    signIn: () => made.signIn(ada, password, { UserPoolId, ClientId }),
    respond: (
      ChallengeName: 'SOFTWARE_TOKEN_MFA' | 'MFA_SETUP',
      Session: string | undefined,
      code?: string,
      USERNAME = username,
    ) =>
      made.client.send(
        new AdminRespondToAuthChallengeCommand({
          UserPoolId,
          ClientId,
          ChallengeName,
          Session,
          ChallengeResponses: { USERNAME, ...(code && { SOFTWARE_TOKEN_MFA_CODE: code }) },
        }),
      ),
    code: (secret: string | undefined) => codeAt(secret ?? '', stepAt(made.now())),
  };
}

describe('where the pool leaves the choice', () => {
  test('a signed-in user sets an app up, wishes for it, and is asked from then on', async () => {
    const { client, username, signIn, respond, code, pass } = await medinfo('OPTIONAL');
    const { AccessToken } = (await signIn()).AuthenticationResult ?? {};
    const wish = { SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } };
    const asAdmin = new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username: ada, ...wish });
    await expect(client.send(asAdmin)).rejects.toThrow(
      'does not have delivery config set to turn on SOFTWARE_TOKEN_MFA',
    );
    const early = new VerifySoftwareTokenCommand({ AccessToken, UserCode: '123456' });
    await expect(client.send(early)).rejects.toMatchObject({ name: 'SoftwareTokenMFANotFoundException' });

    const { SecretCode, Session } = await client.send(new AssociateSoftwareTokenCommand({ AccessToken }));
    expect([SecretCode?.length, Session]).toEqual([32, undefined]);
    const verify = (UserCode: string) => client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode }));
    await expect(verify('000000')).rejects.toMatchObject({ name: 'EnableSoftwareTokenMFAException' });
    expect(await verify(code(SecretCode))).toMatchObject({ Status: 'SUCCESS' });
    expect((await signIn()).AuthenticationResult).toBeTruthy();
    await client.send(new SetUserMFAPreferenceCommand({ AccessToken, ...wish }));
    const user = await client.send(new AdminGetUserCommand({ UserPoolId, Username: ada }));
    expect(user.UserMFASettingList).toEqual(['SOFTWARE_TOKEN_MFA']);

    const challenge = await signIn();
    expect(challenge).toMatchObject({
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session: expect.any(String),
      ChallengeParameters: { USER_ID_FOR_SRP: username },
    });
    const { Session: session } = challenge;
    await expect(respond('SOFTWARE_TOKEN_MFA', session, code(SecretCode))).rejects.toMatchObject({
      name: 'ExpiredCodeException',
      message: 'Your software token has already been used once.',
    });
    pass(60_000);
    await expect(respond('SOFTWARE_TOKEN_MFA', session, 'x')).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await expect(respond('MFA_SETUP', session)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    const byAlias = respond('SOFTWARE_TOKEN_MFA', session, code(SecretCode), ada);
    await expect(byAlias).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    expect((await respond('SOFTWARE_TOKEN_MFA', session, code(SecretCode))).AuthenticationResult).toBeTruthy();
    await expect(respond('SOFTWARE_TOKEN_MFA', session, code(SecretCode))).rejects.toThrow(
      'Invalid session for the user.',
    );

    await client.send(
      new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username: ada, SoftwareTokenMfaSettings: { Enabled: false } }),
    );
    expect((await signIn()).AuthenticationResult).toBeTruthy();
  });
});

describe('where the pool asks everybody', () => {
  test('the app is set up within the sign-in', async () => {
    const { client, username, signIn, respond, code, pass } = await medinfo('ON');
    const challenge = await signIn();
    expect(challenge).toMatchObject({
      ChallengeName: 'MFA_SETUP',
      ChallengeParameters: { USER_ID_FOR_SRP: username, MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' },
    });
    await expect(respond('MFA_SETUP', challenge.Session)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    const { SecretCode, Session } = await client.send(
      new AssociateSoftwareTokenCommand({ Session: challenge.Session }),
    );
    const verify = (UserCode: string) => client.send(new VerifySoftwareTokenCommand({ Session, UserCode }));
    await expect(verify('000000')).rejects.toMatchObject({ name: 'EnableSoftwareTokenMFAException' });
    await expect(respond('MFA_SETUP', Session)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    const verified = await verify(code(SecretCode));
    expect((await respond('MFA_SETUP', verified.Session)).AuthenticationResult).toBeTruthy();
    pass(30_000);
    expect((await signIn()).ChallengeName).toBe('SOFTWARE_TOKEN_MFA');

    // A preference turns nothing off here; the deletion of the lost app does, and its codes are worth nothing.
    const user = { UserPoolId, Username: ada };
    await client.send(new AdminSetUserMFAPreferenceCommand({ ...user, SoftwareTokenMfaSettings: { Enabled: false } }));
    const begun = await signIn();
    expect(begun.ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    expect((await client.send(new AdminGetUserCommand(user))).UserMFASettingList).toEqual(['SOFTWARE_TOKEN_MFA']);
    await client.send(new AdminDeleteSoftwareTokenCommand(user));
    await expect(respond('SOFTWARE_TOKEN_MFA', begun.Session, code(SecretCode))).rejects.toMatchObject({
      name: 'CodeMismatchException',
    });
    expect((await client.send(new AdminGetUserCommand(user))).UserMFASettingList).toBeUndefined();
    await client.send(new AdminDeleteSoftwareTokenCommand(user));
    expect((await signIn()).ChallengeName).toBe('MFA_SETUP');
  });

  test('a session ends after three minutes', async () => {
    const { client, signIn, pass } = await medinfo('ON');
    const { Session } = await signIn();
    pass(180_000);
    const late = client.send(new AssociateSoftwareTokenCommand({ Session }));
    await expect(late).rejects.toThrow('Invalid session for the user, session is expired.');
    const none = client.send(new AssociateSoftwareTokenCommand({ Session: 'x'.repeat(30) }));
    await expect(none).rejects.toThrow('Invalid session for the user.');
    const short = client.send(new AssociateSoftwareTokenCommand({ Session: 'x' }));
    await expect(short).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });
});
