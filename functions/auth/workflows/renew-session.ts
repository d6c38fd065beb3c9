import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { opensPool } from '../../../lib/runtime/token-scopes.ts';
import { mailTo } from '../../mail/exports.ts';
import { deployments } from '../../product.ts';
import { isOver } from '../rules/lifetime.ts';
import { replacing, standingOf } from '../rules/renewal.ts';
import type { Ending, SessionRow } from '../rules/session-row.ts';
import type { Tokens } from '../rules/sign-in.ts';
import { newToken, type Presented, presentedIn } from '../stores/refresh-tokens.ts';
import { endSession } from '../stores/session-ends.ts';
import { markNoticed, poolTokenOf, readSession, renewSession, sealSuccessor, successorIn } from '../stores/sessions.ts';
import { renew } from '../stores/user-pool.ts';
import type { SessionDependencies } from './register-session-tokens.ts';

/** Why a session renews no more. */
type EndReason = 'ended' | 'expired' | 'reused' | 'password-changed';

/** `reason` is null for a token that we did not make. `isNews`: of this reuse nobody was told before. */
type Refused = { readonly outcome: 'refused'; readonly reason: EndReason | null; readonly isNews?: true };

export type Renewed = { readonly outcome: 'tokens'; readonly tokens: Tokens } | Refused;

export type RenewalDependencies = SessionDependencies & { readonly mailQueue: string };

type Access = Omit<Tokens, 'refreshToken'>;

/**
 * Answers a new access token and the next refresh token. What is repeated after a lost answer gets the same refresh token again, so that
 * no session has two branches. A token whose successor was used ends the session: two have its tokens, and nobody knows who is the thief.
 */
export async function renewToken(deps: RenewalDependencies, text: string, appVersion?: string): Promise<Renewed> {
  const { tables, secret, application } = deps;
  const presented = presentedIn({ secret, application }, text);
  if (!presented) return { outcome: 'refused', reason: null };
  let access: Access | null = null;
  return retryOnContention(async (): Promise<Renewed | typeof contended> => {
    const now = new Date();
    const row = await readSession(tables.Sessions, presented);
    if (!row) return { outcome: 'refused', reason: 'expired' };
    if (row.endedAt !== undefined) return refusedBy(deps, row);
    if (isOver(row, deployments[application].sessions, now)) {
      await endSession(deps, row.userId, row.sessionId, 'expired');
      return { outcome: 'refused', reason: 'expired' };
    }
    const standing = standingOf(row, presented.hash, now);
    if (standing.is === 'reused') return refusedAsReused(deps, row);
    access ??= await accessFor(deps, row);
    if (!access) return refusedByPool(deps, row);
    const next =
      standing.is === 'current'
        ? successorOf(deps, row, presented, now)
        : { token: successorIn(text, row, standing.sealedSuccessor) };
    const isKept = await renewSession(tables.Sessions, row, { now, appVersion, ...next.change });
    return isKept ? { outcome: 'tokens', tokens: { ...access, refreshToken: next.token } } : contended;
  });
}

/** @returns null where the pool refuses, or nobody can open its token any more */
async function accessFor({ cognito, userPool, secret }: RenewalDependencies, row: SessionRow): Promise<Access | null> {
  const poolToken = poolTokenOf(secret, row);
  if (poolToken === null) return null;
  const answer = await renew(cognito, userPool, poolToken);
  if (answer.outcome !== 'tokens') return null;
  const { refreshToken: _ofThePool, ...access } = answer.tokens;
  // As at a sign-in: nobody gets a token that opens Cognito's own API. The row keeps the pool's, and the session goes on with the trigger.
  if (opensPool(access.accessToken)) throw new Failure(Unavailable);
  return access;
}

type Next = { readonly token: string; readonly change?: Pick<Parameters<typeof renewSession>[2], 'replaced'> };

function successorOf(
  { secret, application }: RenewalDependencies,
  row: SessionRow,
  presented: Presented,
  now: Date,
): Next {
  const next = newToken({ secret, application }, row);
  const sealedSuccessor = sealSuccessor(presented.token, row, next.token);
  const predecessors = replacing(row, { hash: presented.hash, sealedSuccessor, replacedAt: now.toISOString() }, now);
  // Many renewals within the grace: the token stays.
  if (!predecessors) return { token: presented.token };
  return { token: next.token, change: { replaced: { tokenHash: next.hash, predecessors } } };
}

const reasons: Readonly<Record<Ending, EndReason>> = {
  asked: 'ended',
  expired: 'expired',
  reused: 'reused',
  password: 'password-changed',
};

/** Disabled, or signed out everywhere, which the pool knows first. Or the session was ended since its row was read: then the row says why. */
async function refusedByPool(deps: RenewalDependencies, row: SessionRow): Promise<Refused> {
  const now = await readSession(deps.tables.Sessions, row);
  return now?.endedAt === undefined ? { outcome: 'refused', reason: 'ended' } : refusedBy(deps, now);
}

async function refusedBy(deps: RenewalDependencies, row: SessionRow): Promise<Refused> {
  const reason = reasons[row.endedBy ?? 'asked'];
  // Whoever found the reuse may have stopped halfway.
  if (reason === 'reused' && row.noticedAt === undefined) return refusedAsReused(deps, row);
  return { outcome: 'refused', reason };
}

export async function refusedAsReused(deps: RenewalDependencies, row: SessionRow): Promise<Refused> {
  await endSession(deps, row.userId, row.sessionId, 'reused');
  await giveNotice(deps, row);
  return { outcome: 'refused', reason: 'reused', isNews: true };
}

/** Two requests at once may both send it. */
async function giveNotice({ tables, application, mailQueue }: RenewalDependencies, row: SessionRow): Promise<void> {
  // After a crash the row says when the reuse was found.
  const { userId, device, endedAt } = row;
  const now = new Date();
  const data = { device: device ?? '–', at: endedAt ?? now.toISOString() };
  await mailTo(mailQueue, { kind: 'session-reused', application, to: { userId }, locale: null, data });
  await markNoticed(tables.Sessions, row, now);
}
