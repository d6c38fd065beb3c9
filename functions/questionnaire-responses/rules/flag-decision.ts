import { isDeepStrictEqual } from 'node:util';
import type { Flag, FlagOutcome } from './flag.ts';

/** What staff decided about a flag, and the flag as the decisions make it. Pure. */

export type Decision = {
  readonly flagId: string;
  readonly what: 'acknowledged' | FlagOutcome;
  readonly at: string;
  readonly by: string;
};

/** In the order in which they can be made. */
export const decisionOrder = ['acknowledged', 'referred', 'not-reached', 'cleared'] as const;

/** @param decisions about any flags */
export function decided(raised: Flag, decisions: readonly Decision[]): Flag {
  const own = decisions.filter(({ flagId }) => flagId === raised.flagId);
  const seen = own.find(({ what }) => what === 'acknowledged');
  const end = decisionOrder
    .slice(1)
    .flatMap((name) => own.filter(({ what }) => what === name))
    .at(-1);
  return {
    ...raised,
    acknowledgedAt: seen?.at ?? null,
    acknowledgedBy: seen?.by ?? null,
    outcome: end && end.what !== 'acknowledged' ? end.what : null,
    endedAt: end?.at ?? null,
    endedBy: end?.by ?? null,
  };
}

/** Whether the flag has been like this at any time: raised, or after some of its decisions. */
export function hasBeen(row: unknown, raised: Flag, decisions: readonly Decision[]): boolean {
  const own = decisionOrder.flatMap((name) =>
    decisions.filter(({ flagId, what }) => flagId === raised.flagId && what === name),
  );
  return [...own.keys(), own.length].some((count) => isDeepStrictEqual(row, decided(raised, own.slice(0, count))));
}

/** The decisions by which a flag became another. */
export function decisionsBetween(before: Flag, after: Flag): Decision[] {
  const { flagId } = after;
  const seen =
    before.acknowledgedAt === null && after.acknowledgedAt !== null
      ? [{ flagId, what: 'acknowledged' as const, at: after.acknowledgedAt, by: after.acknowledgedBy ?? '' }]
      : [];
  const { outcome, endedAt, endedBy } = after;
  const isEnded = outcome !== null && outcome !== before.outcome;
  return isEnded ? [...seen, { flagId, what: outcome, at: endedAt ?? '', by: endedBy ?? '' }] : seen;
}
