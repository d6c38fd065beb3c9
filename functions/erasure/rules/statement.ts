import { type Chain, type Erasure, expiryOf, nextStep, statusOf } from './erasure.ts';

/** What an administrator is shown of a user's erasure. */
export function stateOf(userId: string, erasure: Erasure | null) {
  const times = {
    requestedAt: erasure?.requestedAt ?? null,
    signInClosedAt: erasure?.closedAt ?? null,
    erasesAt: erasure?.accessEndsAt ?? null,
    erasureBegunAt: erasure?.begunAt ?? null,
    erasedAt: erasure?.erasedAt ?? null,
    retainUntil: erasure?.retainUntil ?? null,
    releasedAt: erasure?.releasedAt ?? null,
    recordsExpireAt: erasure?.recordsExpireAt ?? null,
  };
  return { userId, status: statusOf(erasure), ...times, legalHold: erasure?.legalHold ?? null };
}

/** What the user is told: the first request's times, however often it is asked. */
export function requestOf(erasure: Erasure) {
  const { userId, requestedAt, accessEndsAt, legalHold, begunAt } = erasure;
  if (!requestedAt || !accessEndsAt) throw new Error('a request whose sign-in is not closed is not answered');
  // Under a hold nobody knows when.
  const isHeld = legalHold !== null && begunAt === null && nextStep(erasure) === null;
  return { userId, status: 'requested' as const, requestedAt, erasesAt: isHeld ? null : accessEndsAt };
}

/** What is signed when records are released: enough to tell what was there, and nothing of what it said. */
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
