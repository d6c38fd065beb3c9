import {
  AdminSetUserMFAPreferenceCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { onTestFinished } from 'vitest';
import { seed } from '../../bin/seed.ts';
import { type Application, deployments } from '../../lib/contract/deployments.ts';
import { administrator } from '../../lib/local/credentials.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { type RunningStage, type StageOptions, startStage } from '../../lib/local/stage.ts';

/** A stage of the test's own, for what the shared one cannot do: another environment, a broken Cognito, its log. */
export async function ownStage(options: StageOptions = {}) {
  const stage = await startStage({ seed, rateLimit: false, ...options });
  onTestFinished(stage.close);
  const send = async (
    method: string,
    path: string,
    more: { body?: unknown; bearer?: string; application?: Application },
  ) => {
    const { body, bearer, application = 'medinfo' } = more;
    const answer = await fetch(`${stage.url}${deployments[application].basePath}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
  };
  return {
    stage,
    send,
    issue: (body: unknown, application?: Application) =>
      send('POST', '/auth/tokens', { body, ...(application && { application }) }),
  };
}

/** Cognito as the stage's administrator reaches it. */
export function administration({ issuer, model }: RunningStage) {
  const { region } = model();
  return new CognitoIdentityProviderClient({
    endpoint: issuer.url,
    region,
    credentials: administrator,
    maxAttempts: 1,
  });
}

export function poolOf({ model }: RunningStage, application: Application): string {
  const pool = model().userPools.find(({ name }) => name.endsWith(application));
  if (!pool) throw new Error(`no pool of ${application}`);
  return pool.id;
}

/** Sets an authenticator app up for a user who is signed in. @returns its secret */
export async function enrol(
  stage: RunningStage,
  { accessToken, username }: { accessToken: string; username: string },
  now: number,
): Promise<string> {
  const client = administration(stage);
  const { SecretCode: secret = '' } = await client.send(
    new AssociateSoftwareTokenCommand({ AccessToken: accessToken }),
  );
  const UserCode = codeAt(secret, stepAt(now));
  await client.send(new VerifySoftwareTokenCommand({ AccessToken: accessToken, UserCode }));
  await client.send(
    new AdminSetUserMFAPreferenceCommand({
      UserPoolId: poolOf(stage, 'medinfo'),
      Username: username,
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
    }),
  );
  return secret;
}
