import { expiryOf, statusOf } from './erasure.ts';
import type { Chain, Erasure } from './state.ts';

/**
 * What an administrator is shown of a user's erasure.
 *
 * @param accessSeconds as of `closed`
 */
export function stateOf(userId: string, erasure: Erasure | null, accessSeconds: number) {
  const times = {
    requestedAt: erasure?.requestedAt ?? null,
    endedAt: erasure?.endedAt ?? null,
    restorableUntil: erasure?.graceEndsAt ?? null,
    restoredAt: erasure?.restoredAt ?? null,
    signInClosedAt: erasure?.closedAt ?? null,
    erasesAt: erasesAt(erasure, accessSeconds),
    erasureBegunAt: erasure?.begunAt ?? null,
    erasedAt: erasure?.erasedAt ?? null,
    retainUntil: erasure?.retainUntil ?? null,
    releasedAt: erasure?.releasedAt ?? null,
    recordsExpireAt: erasure?.recordsExpireAt ?? null,
  };
  return { userId, status: statusOf(erasure), ...times, legalHold: erasure?.legalHold ?? null };
}

/**
 * When no access token is valid any more. The last one can be issued at the end of the grace period, or when sign-in
 * was closed.
 */
function erasesAt(erasure: Erasure | null, accessSeconds: number): string | null {
  if (!erasure?.graceEndsAt || erasure.accessEndsAt) return erasure?.accessEndsAt ?? null;
  return new Date(Date.parse(erasure.graceEndsAt) + accessSeconds * 1000).toISOString();
}

/** The answer to the user: the times of the first request, however often it is repeated. */
export function ownStateOf(userId: string, erasure: Erasure | null, accessSeconds: number) {
  // Under a hold the time is unknown.
  const isHeld = erasure?.legalHold != null && erasure.begunAt === null;
  return {
    userId,
    status: ownStatusOf(erasure),
    requestedAt: erasure?.requestedAt ?? null,
    endedAt: erasure?.endedAt ?? null,
    restorableUntil: erasure?.closingAt ? null : (erasure?.graceEndsAt ?? null),
    erasesAt: isHeld ? null : erasesAt(erasure, accessSeconds),
    restoredAt: erasure?.restoredAt ?? null,
  };
}

function ownStatusOf(erasure: Erasure | null): 'none' | 'requested' | 'erased' {
  if (!erasure?.requestedAt) return 'none';
  return erasure.erasedAt ? 'erased' : 'requested';
}

/**
 * The statement that is signed when records are released. It identifies the records, but has nothing of their content.
 */
export function tombstoneOf(
  { userId, application, requestedAt, erasedAt, retainUntil }: Erasure,
  { environment, chains, releasedAt }: { environment: string; chains: readonly Chain[]; releasedAt: Date },
) {
  return {
    environment,
    application,
    userId,
    requestedAt,
    erasedAt,
    retainUntil,
    releasedAt: releasedAt.toISOString(),
    recordsExpireAt: expiryOf(releasedAt).toISOString(),
    chains,
  };
}

/** Whether a signed statement is the one of this release. */
export function isTombstoneOf(
  { userId, releasedAt, recordsExpireAt }: Erasure,
  signed: { readonly payload: Readonly<Record<string, unknown>> } | null,
): boolean {
  const said = signed?.payload;
  return said?.userId === userId && said.releasedAt === releasedAt && said.recordsExpireAt === recordsExpireAt;
}
