import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { type EndingTables, endInPoolAndList } from '../../auth/exports.ts';
import { mailTo, noticeId, type Turn } from '../../mail/exports.ts';
import { effectOf, leftBy, type SecureLink } from '../../mail/rules.ts';
import { moveEmail, readPoolUser, readProfile } from '../../users/exports.ts';
import type { Users } from '../../users/tables.ts';
import { endPassword, endSessions, type PoolUser, setEmail } from '../stores/user-pool.ts';

type Dependencies = {
  readonly tables: EndingTables & { readonly Users: Users<'get' | 'put' | 'remove'> };
  readonly queues: { readonly MailQueue: string };
  readonly cognito: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
};

type Secured = { readonly status: 'secured' | 'link-used'; readonly addressRestored: boolean };

export const linkUsed: Secured = { status: 'link-used', addressRestored: false };

/**
 * Ends all sessions and the password, and gives the account its former address back where the link says so. The link is used up last:
 * after a crash the same request goes on. One that cannot give the address back, as another account has it, can do so later, and ends
 * nothing a second time.
 */
export async function secure(
  deps: Dependencies,
  { link, user }: { readonly link: SecureLink; readonly user: PoolUser },
  turn: Turn,
): Promise<Secured> {
  const { tables, cognito, userPool, queues } = deps;
  const { known, noteLast } = turn;
  const { userId } = user;
  const effect = effectOf(link, known, new Date());
  if (!effect) return linkUsed;
  // First: nobody can then reset the password from the other address.
  const addressRestored =
    effect.restores !== null && (await restore(deps, user, turn, { ...link, restores: effect.restores }));
  const isRefused = effect.restores !== null && !addressRestored;
  if (isRefused && link.mailedAt < (known.securedAt ?? '')) return linkUsed;
  await endPassword(cognito, userPool.id, user);
  await endInPoolAndList(tables, userId, () => endSessions(cognito, userPool.id, user), 'password');
  const mail = {
    kind: 'account-secured',
    application: link.application,
    to: { userId },
    locale: null,
    data: {},
  } as const;
  await mailTo(queues.MailQueue, mail, noticeId(userId, 'secured', link.mailedAt));
  const kept = isRefused ? known.former.filter(({ email }) => email === effect.restores) : [];
  await noteLast({ securedAt: new Date().toISOString(), former: [...effect.left, ...kept], leaving: null });
  return { status: 'secured', addressRestored };
}

/** @returns false where another account has the address meanwhile */
async function restore(
  { tables, cognito, userPool, queues }: Dependencies,
  { userId, username }: PoolUser,
  { known, note }: Turn,
  { application, mailedAt, restores: email }: SecureLink & { readonly restores: string },
): Promise<boolean> {
  const [before, inPool] = await Promise.all([
    readProfile(tables.Users, userId),
    readPoolUser(cognito, userPool.id, userId),
  ]);
  const from = leftBy(known, inPool?.email ?? null, email);
  if (from !== null) await note({ ...known, leaving: from });
  if (!(await setEmail(cognito, userPool.id, username, email))) return false;
  // If the link is in the wrong hands, the owner reads this at the address that the account had until now.
  if (from !== null) {
    const to = { email: from };
    const mail = { kind: 'address-restored', application, to, locale: before?.locale ?? null, data: {} } as const;
    await mailTo(queues.MailQueue, mail, noticeId(userId, 'restored', mailedAt));
  }
  await moveEmail(tables.Users, userId, email);
  return true;
}
