import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  GetTokensFromRefreshTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { onTestFinished } from 'vitest';
import { startIssuer } from '../../../lib/local/identity/issuer.ts';
import type { StageModel } from '../../../lib/local/model.ts';
import { temporaryFolder } from '../stage/local-process.ts';
import { identityModel, poolIds } from './model.ts';

const keys = Object.values(poolIds).map((poolId) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { poolId, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
});

/** Kept data without users. Each test would make the pools' keys otherwise, which takes longer than the rest of it. */
function folderWithKeys(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'identity'));
  for (const { poolId, pem } of keys) writeFileSync(join(folder, 'identity', `${poolId}.pem`), pem);
  return folder;
}

/** The emulation of Cognito under the real SDK client, in a time that the test moves. */
export async function cognito(
  options: Partial<Parameters<typeof startIssuer>[0]> & { pools?: StageModel['userPools'] } = {},
) {
  let now = Date.now();
  const model = { ...identityModel, ...(options.pools && { userPools: options.pools }) };
  const { dataDir = folderWithKeys() } = options;
  const issuer = await startIssuer({ model: () => model, now: () => now, ...options, dataDir });
  onTestFinished(issuer.close);
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
  const client = new CognitoIdentityProviderClient({
    endpoint: issuer.url,
    region: 'eu-central-1',
    credentials,
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  const UserPoolId = poolIds.sleepcare;
  const ClientId = 'appclient';
  return {
    issuer,
    client,
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    create: async (
      Username: string,
      Password: string,
      { groups = [] as string[], pool = UserPoolId as string } = {},
    ) => {
      const { User } = await client.send(new AdminCreateUserCommand({ UserPoolId: pool, Username }));
      await client.send(new AdminSetUserPasswordCommand({ UserPoolId: pool, Username, Password, Permanent: true }));
      for (const GroupName of groups) {
        await client.send(new AdminAddUserToGroupCommand({ UserPoolId: pool, Username, GroupName }));
      }
      return User?.Username ?? '';
    },
    signIn: (
      USERNAME: string,
      PASSWORD: string,
      more: { UserPoolId?: string; ClientId?: string; AuthFlow?: string } = {},
    ) =>
      client.send(
        new AdminInitiateAuthCommand({
          UserPoolId,
          ClientId,
          ...more,
          AuthFlow: (more.AuthFlow ?? 'ADMIN_USER_PASSWORD_AUTH') as 'ADMIN_USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME, PASSWORD },
        }),
      ),
    renew: (RefreshToken: string | undefined, client_ = ClientId) =>
      client.send(new GetTokensFromRefreshTokenCommand({ ClientId: client_, RefreshToken })),
  };
}

export const password = 'a-long-password';

export function payloadOf(token: string | undefined) {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
}
