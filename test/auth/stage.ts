import { randomUUID } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { seedMembers } from '../../bin/seed.ts';
import { type StageOptions, startStage } from '../../bin/stage.ts';
import { openedSession, sealedSession } from '../../functions/auth/stores/waiting-sign-ins.ts';
import { enterMember } from '../../functions/staff/jobs/enter-member.ts';
import { readRing } from '../../lib/contract/key-ring.ts';
import type { Application, Role } from '../../lib/contract/register.ts';
import { administrator } from '../../lib/local/credentials.ts';
import type { UserPoolCall, UserPoolFault } from '../../lib/local/identity/cognito/front.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callsAt } from '../caller-at.ts';
import { handlesNamed } from '../tables.ts';

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
    seed: seedMembers,
    rateLimit: false,
    userPoolNow: () => state.now,
    intercept: { cognito: (call) => state.fault?.(call) },
    onLog: (_fn, _id, line) => state.lines.push(line),
    ...options,
  });
  const send = async (
    method: string,
    path: string,
    more: { body?: unknown; bearer?: string; application?: Application; headers?: Record<string, string> },
  ) => {
    const { body, bearer = null, application = 'medinfo', headers } = more;
    return callsAt(stage, application, bearer)(method, path, body, headers);
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

/** What a sign-in that waits for its code carries, opened and sealed with the stage's own key. */
export function waitingSignIns({ data }: RunningStage, application: Application = 'medinfo') {
  const place = { secret: readRing(data.secrets('SignInKey'), 'SignInKey'), application };
  return {
    open(session: string) {
      const pending = openedSession(place, session);
      if (!pending) throw new Error('no session');
      return pending;
    },
    seal: (pending: Parameters<typeof sealedSession>[1]) => sealedSession(place, pending),
  };
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
  const { User } = await client.send(new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
  await client.send(new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }));
  const userId = User?.Attributes?.find(({ Name }) => Name === 'sub')?.Value ?? '';
  await enter(stage, { userId, email: username, roles: ['physician'] });
  return { username, password };
}

/** Writes the row that gives somebody of the staff the roles. */
async function enter({ data }: RunningStage, member: { userId: string; email: string; roles: readonly Role[] }) {
  const { endpoint, region, credentials, tables: named } = data;
  const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const tables = handlesNamed(client, ['StaffAccounts', 'StaffDirectory', 'AuditEvents'], named);
  await enterMember({ tables }, member, { actor: 'test', realNow: new Date() });
  client.destroy();
}

/** Sets up an authenticator app for a physician who has none. @returns its secret */
export async function enrol(
  stage: RunningStage,
  { username, password }: { username: string; password: string },
  now: number,
): Promise<string> {
  const client = administration(stage);
  const AccessToken = await ownAccountToken(stage, { username, password });
  const { SecretCode: secret = '' } = await client.send(new AssociateSoftwareTokenCommand({ AccessToken }));
  const UserCode = codeAt(secret, stepAt(now));
  await client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode }));
  await client.send(
    new AdminSetUserMFAPreferenceCommand({
      UserPoolId: poolOf(stage, 'medinfo'),
      Username: username,
      SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true },
    }),
  );
  return secret;
}

/** A token that opens Cognito's own API, of the client whose tokens have the scope for it. */
async function ownAccountToken(stage: RunningStage, { username, password }: { username: string; password: string }) {
  const pool = stage.model().userPools.find(({ id }) => id === poolOf(stage, 'medinfo'));
  const { AuthenticationResult } = await administration(stage).send(
    new AdminInitiateAuthCommand({
      UserPoolId: pool?.id,
      ClientId: pool?.clients.find(({ name }) => name === 'own-account')?.id,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: password },
    }),
  );
  return AuthenticationResult?.AccessToken ?? '';
}
