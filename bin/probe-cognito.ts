import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminRespondToAuthChallengeCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  GetTokensFromRefreshTokenCommand,
  RevokeTokenCommand,
  UsernameExistsException,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { codeAt, stepAt } from '../lib/local/index.ts';
import type { Probed } from './probe-cases.ts';

/** Sign-ins at the probe's user pool, of a user whose password nobody knows. */

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };
const email = 'probe@example.com';

export function probedCognito(UserPoolId: string, ClientId: string): Probed['cognito'] {
  const client = new CognitoIdentityProviderClient(limits);
  const password = `${randomBytes(24).toString('base64url')}aA1!`;
  let isMade = false;
  const makeUser = async () => {
    if (isMade) return;
    await client
      .send(new AdminCreateUserCommand({ UserPoolId, Username: email, MessageAction: 'SUPPRESS' }))
      .catch((error: unknown) => {
        if (!(error instanceof UsernameExistsException)) throw error;
      });
    await client.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password: password, Permanent: true }),
    );
    isMade = true;
  };
  const signIn = async (username: string) => {
    await makeUser();
    return client.send(
      new AdminInitiateAuthCommand({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: username, PASSWORD: password },
      }),
    );
  };
  const renew = (RefreshToken: string | undefined) =>
    client.send(new GetTokensFromRefreshTokenCommand({ ClientId, RefreshToken }));
  return {
    async writeAttributes() {
      const { UserPoolClient } = await client.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId }));
      return UserPoolClient?.WriteAttributes ?? [];
    },
    signIn: (username) => told(signIn(username).then(({ ChallengeName }) => ChallengeName ?? 'signed in')),
    async renew() {
      const { AuthenticationResult } = await signIn(email);
      const token = AuthenticationResult?.RefreshToken;
      return [
        await told(
          renew(token).then(({ AuthenticationResult: got }) => (got?.RefreshToken ? 'rotated' : 'not rotated')),
        ),
        await told(renew(token).then(() => 'renewed again within the grace')),
      ];
    },
    revokeText: () => told(client.send(new RevokeTokenCommand({ ClientId, Token: 'no-token' })).then(() => 'done')),
    async rightCodeAfterWrong() {
      const { AuthenticationResult } = await signIn(email);
      const AccessToken = AuthenticationResult?.AccessToken;
      const { SecretCode = '' } = await client.send(new AssociateSoftwareTokenCommand({ AccessToken }));
      const used = stepAt(Date.now());
      await client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: codeAt(SecretCode, used) }));
      await client.send(
        new AdminSetUserMFAPreferenceCommand({
          UserPoolId,
          Username: email,
          SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
        }),
      );
      const { Session, ChallengeName } = await signIn(email);
      const answer = (code: string) =>
        client.send(
          new AdminRespondToAuthChallengeCommand({
            UserPoolId,
            ClientId,
            Session,
            ChallengeName,
            ChallengeResponses: { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE: code },
          }),
        );
      // A code is taken once: the next one is of the next half minute.
      while (stepAt(Date.now()) === used) await sleep(1000);
      const right = codeAt(SecretCode, stepAt(Date.now()));
      const wrong = right === '000000' ? '000001' : '000000';
      await told(answer(wrong).then(() => 'signed in'));
      return told(answer(right).then(() => 'signed in'));
    },
  };
}

function told(asked: Promise<string>): Promise<string> {
  return asked.catch((error: unknown) => (error instanceof Error ? error.name : String(error)));
}
