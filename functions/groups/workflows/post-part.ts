import type { Accounts } from '../../../lib/contract/accounts.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { readAccount, whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { ConsentStates } from '../../access/consent-states.ts';
import { isConsenting } from '../../access/consent-states.ts';
import { postNotice } from '../../agent-board/exports.ts';
import type { AgentBoardMessages } from '../../agent-board/tables.ts';
import { readState } from '../../consents/exports.ts';
import { type Broadcast, inTurn, isFor, type Outcome, settled, untriedOf } from '../rules/broadcast.ts';
import { putSettled, readPart } from '../stores/broadcasts.ts';
import { type Decided, putDelivery, readDelivery } from '../stores/deliveries.ts';
import { readMembership } from '../stores/memberships.ts';
import type { GroupMembers, GroupMessageDeliveries, GroupMessageParts } from '../tables.ts';

export type Posting = {
  readonly tables: {
    readonly AgentBoardMessages: AgentBoardMessages<'get' | 'put'>;
    readonly Accounts: Handle<typeof Accounts, 'get' | 'check'>;
    readonly ConsentStates: ConsentStates<'get'>;
    readonly GroupMembers: GroupMembers<'get'>;
    readonly GroupMessageParts: GroupMessageParts<'get' | 'put' | 'update' | 'remove'>;
    readonly GroupMessageDeliveries: GroupMessageDeliveries<'get' | 'put'>;
  };
  readonly now: () => Date;
  readonly remainingMs: () => number;
  /** Whether this is the last delivery of the message. Then members to whom it cannot be posted count as failed. */
  readonly isLast: boolean;
};

export type Posted = {
  readonly posted: number;
  readonly skipped: number;
  /** Members who were not tried this time, because the time was up. */
  readonly left: number;
  /** Members who were never tried. */
  readonly untried: number;
  /** The errors of members who were skipped after a failure. */
  readonly failures: readonly unknown[];
};

/** The agreement of the seed catalogue without which nobody gets `marketing`. */
const marketing = 'marketing';

/** Members at a time. */
const atOnce = 5;
/** What an invocation keeps for writing down how far it came. */
const reserveMs = 4_000;

/**
 * Posts to the members of a part. Killed at any point it loses nothing and repeats nothing: a member's message and the row that
 * says so are one transaction, and the part is settled, with the progress, in another.
 */
export async function postPart(broadcast: Broadcast, part: string, how: Posting): Promise<Posted> {
  const { tables, remainingMs, isLast } = how;
  const { broadcastId } = broadcast;
  const table = tables.GroupMessageParts;
  const found = await readPart(table, { broadcastId, part });
  const outcomes = new Map<string, Outcome>();
  const failures: unknown[] = [];
  await mapWithConcurrency(found ? inTurn(found) : [], atOnce, async (userId) => {
    if (remainingMs() < reserveMs) return;
    try {
      outcomes.set(userId, await postTo(userId, broadcast, how));
    } catch (error) {
      outcomes.set(userId, 'failed');
      failures.push(error);
    }
  });
  let untried = found ? untriedOf(found).length : 0;
  if (outcomes.size > 0) {
    untried = await retryOnContention(async () => {
      // Another invocation may have been at it, too: whom it settled is no more in it.
      const current = await readPart(table, { broadcastId, part });
      if (!current) return 0;
      const change = settled(current, outcomes, isLast && failures.length > 0);
      if (!(await commit(putSettled(table, current, change)))) return contended;
      return change.after ? untriedOf(change.after).length : 0;
    });
  }
  const count = (wanted: Outcome) => [...outcomes.values()].filter((outcome) => outcome === wanted).length;
  const left = (found?.userIds.length ?? 0) - outcomes.size;
  return { posted: count('posted'), skipped: count('skipped'), left, untried, failures };
}

class NotWanted extends Error {}

async function postTo(userId: string, broadcast: Broadcast, how: Posting): Promise<Outcome> {
  try {
    return await whileOpen({ table: how.tables.Accounts, userId }, () => decide(userId, broadcast, how));
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return 'skipped';
    throw error;
  }
}

async function decide(userId: string, broadcast: Broadcast, how: Posting): Promise<Decided> {
  const { tables, now } = how;
  const { broadcastId, title, body, authorId, createdAt } = broadcast;
  let before: Decided | null = null;
  // Asked before each try of the transaction, so that nothing is posted on what was so some seconds ago.
  const isDecided = async () => {
    const [decided, isWanted] = await Promise.all([
      readDelivery(tables.GroupMessageDeliveries, { userId, broadcastId }),
      mayGet(userId, broadcast, how),
    ]);
    before = decided;
    if (!decided && !isWanted) throw new NotWanted();
    return decided !== null;
  };
  try {
    await postNotice(tables.AgentBoardMessages, {
      ...{ userId, authorId, title, body },
      now: new Date(createdAt),
      once: [putDelivery(tables.GroupMessageDeliveries, userId, broadcast, { decided: 'posted', realNow: now() })],
      isPosted: isDecided,
    });
    return before ?? 'posted';
  } catch (error) {
    if (error instanceof NotWanted) return skip(userId, broadcast, how);
    throw error;
  }
}

/** Another invocation with the same part may still post it, on what it has read before: the row that is first decides. */
async function skip(userId: string, broadcast: Broadcast, { tables, now }: Posting): Promise<Decided> {
  const table = tables.GroupMessageDeliveries;
  const { broadcastId } = broadcast;
  return retryOnContention(async () => {
    const row = putDelivery(table, userId, broadcast, { decided: 'skipped', realNow: now() });
    if (await commit([row])) return 'skipped';
    return (await readDelivery(table, { userId, broadcastId })) ?? contended;
  });
}

/** A member still, whose account is open; for marketing one who consents to it. */
async function mayGet(userId: string, broadcast: Broadcast, { tables }: Posting): Promise<boolean> {
  const { groupId, purpose } = broadcast;
  const isAsked = purpose === 'marketing';
  const [membership, account, state] = await Promise.all([
    readMembership(tables.GroupMembers, { groupId, userId }),
    readAccount({ table: tables.Accounts, userId }),
    isAsked ? readState(tables.ConsentStates, { userId, agreementId: marketing }) : null,
  ]);
  if (account.isClosed || !isFor(broadcast, membership?.since ?? null)) return false;
  return !isAsked || (!account.isInDoubt && isConsenting(state, account.ends));
}
