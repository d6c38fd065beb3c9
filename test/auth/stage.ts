import { randomUUID } from 'node:crypto';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { onTestFinished } from 'vitest';
import { type StageOptions, startStage } from '../../bin/stage.ts';
import { deployments } from '../../functions/product.ts';
import type { Application } from '../../lib/contract/register.ts';
import { administrator } from '../../lib/local/credentials.ts';
import type { UserPoolCall, UserPoolFault } from '../../lib/local/identity/cognito/front.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import type { RunningStage } from '../../lib/local/stage.ts';

type Fault = (call: UserPoolCall) => UserPoolFault | undefined;

/** A stage that the test ends with, for what would leave it unusable. */
export async function ownStage(options: StageOptions = {}) {
  const own = await openStage(options);
  onTestFinished(own.stage.close);
  return own;
}

/** A stage for the tests of a file, for what the shared one cannot do: another environment, a broken Cognito, its log. */
export async function openStage(options: StageOptions = {}) {
  // Asked at each call, so that a test can move the time of the user pools, break them, and read the log.
  const state = { now: Date.now(), fault: undefined as Fault | undefined, lines: [] as string[] };
  const stage = await startStage({
    rateLimit: false,
    userPoolNow: () => state.now,
    intercept: { cognito: (call) => state.fault?.(call) },
    onLog: (_fn, _id, line) => state.lines.push(line),
    ...options,
  });
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
    state,
    /** Between two tests. */
    reset: () => void Object.assign(state, { now: Date.now(), fault: undefined, lines: [] }),
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

/** A physician whom no other test signs in. */
export async function newPhysician(stage: RunningStage): Promise<{ username: string; password: string }> {
  const client = administration(stage);
  const username = `${randomUUID()}@example.com`;
  const password = 'physician-physician';
  const user = { UserPoolId: poolOf(stage, 'medinfo'), Username: username };
  await client.send(new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
  await client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
  await client.send(new AdminAddUserToGroupCommand({ ...user, GroupName: 'physician' }));
  return { username, password };
}

/** Sets up an authenticator app for a signed-in user. @returns its secret */
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
