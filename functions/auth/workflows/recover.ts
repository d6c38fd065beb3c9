import { randomUUID } from 'node:crypto';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { auditEvent } from '../../audit/rules.ts';
import { recoveryCodeUsed } from '../audit-actions.ts';
import type { Pending } from '../rules/session.ts';
import { isLeft, type TakeDependencies, takeCode } from '../stores/recovery-codes.ts';
import { removeSecondFactor, subjectOf } from '../stores/user-pool.ts';

type Dependencies = TakeDependencies & { readonly cognito: CognitoIdentityProviderClient; readonly userPool: UserPool };

type RecoveryRequest = {
  readonly application: string;
  readonly requestId: string;
  /** Sends the notice. */
  readonly tell: (userId: string, left: number) => Promise<void>;
};

/**
 * Removes the authenticator app of somebody who has proved the password. The notice is sent before the code is taken, and the code is
 * taken before the app is removed: so no code works twice, and none without a notice. After a crash in between the next code works.
 *
 * @returns false for a code that is none of those that are left
 */
export async function recover(
  deps: Dependencies,
  { username }: Pending,
  typed: string,
  occasion: RecoveryRequest,
): Promise<boolean> {
  const { application, requestId, tell } = occasion;
  const userId = await subjectOf(deps.cognito, deps.userPool, username);
  const found = userId !== null && (await isLeft(deps, userId, typed));
  if (!found) return false;
  await tell(userId, found.left);
  const eventOf = (left: number) =>
    auditEvent({
      application,
      actor: userId,
      requestId,
      action: recoveryCodeUsed,
      subject: `user/${userId}`,
      before: { left: left + 1 },
      after: { left },
      realNow: new Date(),
      random: randomUUID(),
    });
  if (!(await takeCode(deps, userId, typed, eventOf))) return false;
  await removeSecondFactor(deps.cognito, deps.userPool, username);
  return true;
}
