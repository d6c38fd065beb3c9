import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { type EndingTables, endInPoolAndList } from '../../auth/exports.ts';
import { signOutEverywhere } from '../stores/user-pool.ts';

type Dependencies = {
  readonly cognito: CognitoIdentityProviderClient;
  readonly tables: EndingTables;
  readonly userPool: UserPool;
};

/**
 * When it is done, no session gives an access token any more, and none is in the user's list, also after a restoration. Signing in goes
 * on. Cognito also ends sessions that no row tells of.
 */
export async function endSessions({ cognito, tables, userPool }: Dependencies, userId: string): Promise<void> {
  await endInPoolAndList(tables, userId, () => signOutEverywhere(cognito, userPool.id, userId));
}
