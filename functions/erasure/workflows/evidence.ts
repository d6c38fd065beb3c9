import { datedGraceMs } from '../../../lib/contract/clock.ts';
import { deletionGraceDays, type Environment } from '../../../lib/contract/deployments.ts';
import { accessSeconds } from '../../../lib/contract/tokens.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import type { Erasure } from '../rules/erasure.ts';
import {
  askedIn,
  decide,
  decisionIn,
  isBegunLaid,
  layBegun,
  layErased,
  laySeen,
  type Request,
  requestOf,
  requestsOf,
  seenAt,
  takenBackBy,
} from '../stores/erasure-evidence.ts';
import { type Evidence, NotAsked } from './take-step.ts';

function waitsIn(environment: Environment) {
  const graceMs = datedGraceMs(environment);
  const grace = { graceDays: deletionGraceDays[environment], isDated: graceMs > 0 };
  return { grace, graceMs, accessMs: graceMs > 0 ? accessSeconds * 1000 : 0 };
}

/** @param now the real time: S3 dates what was laid by no other */
export function evidenceIn(bucket: Objects, environment: Environment, now: () => Date): Evidence {
  const { grace, graceMs, accessMs } = waitsIn(environment);
  const requestIn = (erasure: Erasure) => {
    const request = requestOf(erasure);
    if (!request) throw new NotAsked();
    return request;
  };
  const isOver = (since: Date, ms: number) => since.getTime() + ms <= now().getTime();
  const isSeenFor = async (request: Request, until: Date) => {
    const seen = await seenAt(bucket, request);
    return seen !== null && seen.getTime() + graceMs <= until.getTime();
  };
  return {
    grace,
    async isSeen(erasure) {
      const request = requestIn(erasure);
      if (!(await askedIn(bucket, request))) throw new NotAsked();
      return (await seenAt(bucket, request)) !== null;
    },
    async isTakenBack(erasure) {
      const { userId, requestedAt } = requestIn(erasure);
      return (await takenBackBy(bucket, userId))(requestedAt);
    },
    laySeen: (erasure) => laySeen(bucket, requestIn(erasure)),
    isGraceOver: (erasure) => isSeenFor(requestIn(erasure), now()),
    async isClosing(erasure) {
      const request = requestIn(erasure);
      const { decision, at } = await decide(bucket, request, 'closing');
      // Whoever decided that in the grace was not the function that closes.
      if (decision === 'closing' && !(await isSeenFor(request, at))) throw new NotAsked();
      return decision === 'closing';
    },
    async isClosed(erasure) {
      const request = requestIn(erasure);
      const decided = await decisionIn(bucket, request);
      if (decided?.decision !== 'closing' || !isOver(decided.at, accessMs)) return false;
      return (await askedIn(bucket, request)) !== null && isSeenFor(request, decided.at);
    },
    isBegunLaid: (erasure) => isBegunLaid(bucket, requestIn(erasure)),
    layBegun: (erasure) => layBegun(bucket, requestIn(erasure), erasure.begunAt ?? ''),
    layErased: (erasure) => layErased(bucket, requestIn(erasure)),
  };
}

/**
 * Takes back all that the user ever asked: a table that was restored may have forgotten some of it, and a replay would not.
 *
 * @param request what the row says, if anything
 * @returns false where it is too late for one of them
 */
export async function areTakenBackIn(
  bucket: Objects,
  environment: Environment,
  { userId, request }: { readonly userId: string; readonly request: Request | null },
  businessNow: Date,
): Promise<boolean> {
  const laid = [...(await requestsOf(bucket, userId)).keys()];
  for (const requestedAt of new Set([...laid, ...(request ? [request.requestedAt] : [])])) {
    if (!(await isTakenBackIn(bucket, environment, { userId, requestedAt }, businessNow))) return false;
  }
  return true;
}

/**
 * Whether a request can be taken back: decided by who is first, and before that by what was laid when it was made and seen.
 * What the row says of it counts for nothing: others write that, too.
 *
 * @returns false where it is too late
 */
export async function isTakenBackIn(
  bucket: Objects,
  environment: Environment,
  request: Request,
  businessNow: Date,
): Promise<boolean> {
  const { graceMs } = waitsIn(environment);
  const seen = await seenAt(bucket, request);
  const stands = (decided: { decision: string; at: Date }) =>
    decided.decision === 'restored' || seen === null || decided.at.getTime() < seen.getTime() + graceMs;
  const known = await decisionIn(bucket, request);
  if (known) return stands(known);
  const asked = graceMs > 0 ? null : await askedIn(bucket, request);
  const endsAt = graceMs > 0 ? seen && seen.getTime() + graceMs : Date.parse(asked?.graceEndsAt ?? '');
  if (endsAt !== null && endsAt <= businessNow.getTime()) return false;
  return stands(await decide(bucket, request, 'restored'));
}
