import { deployments } from '../../product.ts';
import { isOver } from '../rules/lifetime.ts';
import { standingOf } from '../rules/renewal.ts';
import type { SessionRow } from '../rules/session-row.ts';
import { readEndings } from '../stores/ended-sessions.ts';
import { presentedIn } from '../stores/refresh-tokens.ts';
import { endSession } from '../stores/session-ends.ts';
import { readSession, takeProof } from '../stores/sessions.ts';
import { type RenewalDependencies, refusedAsReused } from './renew-session.ts';

/**
 * What an app presents at a sign-in: the refresh token of its session before. It proves that this app was signed in to the account, which
 * no name of a device does (decision 58).
 */
export type Previous = {
  /** The sign-in goes on where an earlier session was, so its owner needs no mail. */
  readonly isKnown: boolean;
  /** Ends the earlier session. A repetition does what a crash left. @returns whether it found a reuse that nobody was told of before */
  readonly end: () => Promise<{ readonly isReuse: boolean }>;
};

const nothing: Previous = { isKnown: false, end: async () => ({ isReuse: false }) };

/** @param text any text, or undefined where the app presents nothing */
export async function previousSession(
  deps: RenewalDependencies,
  userId: string,
  text: string | undefined,
): Promise<Previous> {
  const { secret, application, tables } = deps;
  const presented = text === undefined ? null : presentedIn({ secret, application }, text);
  // A token of another account says nothing about this one, and its session is not this person's to end.
  if (presented?.userId !== userId) return nothing;
  const row = await readSession(tables.Sessions, presented);
  if (!row) return nothing;
  const now = new Date();
  const { is } = standingOf(row, presented.hash, now);
  const isTimeOver = isOver(row, deployments[application].sessions, now);
  const isKnown = is !== 'reused' && (await isProof(deps, row));
  return { isKnown, end: () => end(deps, row, { isReused: is === 'reused', isTimeOver }) };
}

/** A session from before the last end of all, or change of the password, may be a thief's. */
async function isProof({ tables }: RenewalDependencies, row: SessionRow): Promise<boolean> {
  const { underWayUntil = 0 } = await readEndings(tables.EndedSessions, row.userId);
  return Date.parse(row.createdAt) > underWayUntil && takeProof(tables.Sessions, row);
}

type Found = { readonly isReused: boolean; readonly isTimeOver: boolean };

/** Also of a session that has ended already: whoever ended it, or found the reuse, may have stopped halfway. */
async function end(
  deps: RenewalDependencies,
  row: SessionRow,
  { isReused, isTimeOver }: Found,
): Promise<{ isReuse: boolean }> {
  const isUntold = row.endedBy === 'reused' && row.noticedAt === undefined;
  // As at a renewal: a session that is over has expired, whatever is presented.
  const isReuse = row.endedAt === undefined ? isReused && !isTimeOver : isUntold;
  if (isReuse) await refusedAsReused(deps, row);
  else await endSession(deps, row.userId, row.sessionId, isTimeOver ? 'expired' : 'asked');
  return { isReuse };
}
