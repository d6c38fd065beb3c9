import { skewMs } from '../../../lib/contract/instant.ts';
import type { Environment } from '../../../lib/contract/register.ts';
import { accessSeconds } from '../../../lib/contract/tokens.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { datedGraceMs, deletionGraceDays } from '../../product.ts';
import type { Erasure } from '../rules/state.ts';
import { type Decided, takenBackIn } from '../rules/taken-back.ts';
import {
  askedIn,
  decide,
  decisionIn,
  decisionsOf,
  isBegunLaid,
  layBegun,
  layErased,
  laySeen,
  type Request,
  readsAtATime,
  requestOf,
  requestsOf,
  seenAt,
  takenBackBy,
} from '../stores/erasure-evidence.ts';
import { type Evidence, NotAsked } from './take-step.ts';

function waitsIn(environment: Environment) {
  const graceMs = datedGraceMs[environment];
  const grace = { graceDays: deletionGraceDays[environment], isDated: graceMs > 0 };
  return { grace, graceMs, accessMs: graceMs > 0 ? accessSeconds * 1000 : 0 };
}

/** @param now the real time, because S3 dates objects by the real time */
export function evidenceIn(bucket: Objects, environment: Environment, now: () => Date): Evidence {
  const { grace, graceMs, accessMs } = waitsIn(environment);
  const requestIn = (erasure: Erasure) => {
    const request = requestOf(erasure);
    if (!request) throw new NotAsked();
    return request;
  };
  // The row says which application's function erases, and others write rows: it would look for a login where there is none.
  const isAskedAs = async ({ application }: Erasure, request: Request) => {
    const asked = await askedIn(bucket, request);
    return asked !== null && (asked.application === undefined || asked.application === application);
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
      if (!(await isAskedAs(erasure, request))) throw new NotAsked();
      return (await seenAt(bucket, request)) !== null;
    },
    async isTakenBack(erasure) {
      const { userId, requestedAt } = requestIn(erasure);
      const asked = await requestsOf(bucket, userId);
      if (!(await takenBackBy(bucket, userId, [requestedAt], asked))(requestedAt)) return false;
      // A row with an old request that was taken back would open the account during the grace of another one.
      const decisions = await decisionsOf(bucket, userId, asked.keys());
      const isTakenBack = takenBackIn(decisions, asked);
      const others = [...asked.keys()].filter((other) => !isTakenBack(other));
      const standing = await mapWithConcurrency(others, readsAtATime, async (other) => {
        const seen = await seenAt(bucket, { userId, requestedAt: other });
        const decided = decisions.get(other);
        return seen !== null && !(decided && isNoClosing(decided, seen, graceMs));
      });
      if (standing.includes(true)) throw new NotAsked();
      return true;
    },
    laySeen: (erasure) => laySeen(bucket, requestIn(erasure)),
    // S3 dates the decision by its own clock, which may be earlier: one dated within the grace period would never count.
    isGraceOver: (erasure) => isSeenFor(requestIn(erasure), new Date(now().getTime() - (graceMs > 0 ? skewMs : 0))),
    async isClosing(erasure) {
      const request = requestIn(erasure);
      const { decision, at } = await decide(bucket, request, 'closing');
      // A closing that was decided during the grace period does not come from the function that closes sign-in.
      if (decision === 'closing' && !(await isSeenFor(request, at))) throw new NotAsked();
      return decision === 'closing';
    },
    async isClosed(erasure) {
      const request = requestIn(erasure);
      const decided = await decisionIn(bucket, request);
      if (decided?.decision !== 'closing' || !isOver(decided.at, accessMs)) return false;
      return (await isAskedAs(erasure, request)) && isSeenFor(request, decided.at);
    },
    isBegunLaid: (erasure) => isBegunLaid(bucket, requestIn(erasure)),
    layBegun: (erasure) => layBegun(bucket, requestIn(erasure), erasure.begunAt ?? ''),
    layErased: (erasure) => layErased(bucket, requestIn(erasure)),
  };
}

/**
 * Nobody may decide to close sign-in during the grace period. So a request with such a decision is never carried out, and
 * counts as taken back.
 */
function isNoClosing({ decision, at }: Decided, seen: Date | null, graceMs: number): boolean {
  return decision === 'restored' || seen === null || at.getTime() < seen.getTime() + graceMs;
}

/** A user's requests and the decisions about them, by the requests' times. */
export type Laid = {
  readonly asked: ReadonlyMap<string, Date>;
  readonly decisions: ReadonlyMap<string, Decided>;
};

export async function laidOf(bucket: Objects, userId: string): Promise<Laid> {
  const asked = await requestsOf(bucket, userId);
  return { asked, decisions: await decisionsOf(bucket, userId, asked.keys()) };
}

type TakingBack = {
  readonly userId: string;
  /** The request in the row, if it has one. */
  readonly request: Request | null;
  readonly laid: Laid;
  readonly businessNow: Date;
};

/**
 * Takes back all requests of the user: a restored table may lack some of them, and a replay would bring them back. The
 * row does not count as proof of a request, because other functions write it, too. All requests are checked before the
 * first decision. So if it is too late for one of them, none is taken back.
 *
 * @returns false if it is too late for one of them
 */
export async function areTakenBackIn(
  bucket: Objects,
  environment: Environment,
  { userId, request, laid: { asked, decisions }, businessNow }: TakingBack,
): Promise<boolean> {
  const isTakenBack = takenBackIn(decisions, asked);
  const times = new Set([...asked.keys(), ...(request ? [request.requestedAt] : [])]);
  const open = [...times].filter((requestedAt) => !isTakenBack(requestedAt));
  const { graceMs } = waitsIn(environment);
  const looked = await mapWithConcurrency(open, readsAtATime, async (requestedAt) => {
    const one = { userId, requestedAt };
    const seen = await seenAt(bucket, one);
    const ended = graceMs > 0 ? null : await askedIn(bucket, one);
    return { one, seen, graceEndsAt: ended?.graceEndsAt ?? '', known: decisions.get(requestedAt) };
  });
  const endOf = ({ one, seen, graceEndsAt }: (typeof looked)[number]) => {
    if (graceMs > 0) return seen && seen.getTime() + graceMs;
    // A request that was never seen and never committed has no grace period that could be over.
    return seen || one.requestedAt === request?.requestedAt ? Date.parse(graceEndsAt) : null;
  };
  const isTooLate = looked.some((one) => {
    if (one.known) return !isNoClosing(one.known, one.seen, graceMs);
    const endsAt = endOf(one);
    return endsAt !== null && endsAt <= businessNow.getTime();
  });
  if (isTooLate) return false;
  const isBack = async ({ one, seen, known }: (typeof looked)[number]) =>
    known !== undefined || isNoClosing(await decide(bucket, one, 'restored'), seen, graceMs);
  // The row's own request comes before the others: only for this one, sign-in may be about to be closed.
  const own = looked.filter(({ one }) => one.requestedAt === request?.requestedAt);
  for (const one of own) if (!(await isBack(one))) return false;
  const others = looked.filter((one) => !own.includes(one));
  return (await mapWithConcurrency(others, readsAtATime, isBack)).every(Boolean);
}
