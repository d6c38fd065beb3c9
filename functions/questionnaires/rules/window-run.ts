import { localDate } from './local-date.ts';

/**
 * The uninterrupted run of sleep windows from which a bundle counts its days. It ends when the window is withdrawn, and
 * when no entitlement is active any more. Pure.
 */

export type Run = {
  readonly userId: string;
  /** The patient's own date of the first evening. */
  readonly startedOn: string;
  /** When a physician withdrew the window; null if nobody has. */
  readonly endedAt: string | null;
};

type Granted = { readonly entitlementId: string; readonly startsAt: string; readonly endsAt: string };

/** A time in which a run's questionnaires can be answered, with the entitlement that unlocks them. */
export type Term = Granted & {
  /** The patient's own date of the last moment. */
  readonly lastDate: string;
};

/**
 * When the run's entitlements end; null if there are none yet. A code that goes on where the one before ends does not
 * end the run.
 */
export function endOfRun({ startedOn }: Pick<Run, 'startedOn'>, granted: readonly Granted[], zone: string) {
  return blockOf(startedOn, granted, zone).at(-1)?.endsAt ?? null;
}

/** The entitlements that follow one another without a gap, beginning with the first that has not ended by then. */
function blockOf(startedOn: string, granted: readonly Granted[], zone: string): Granted[] {
  const left = granted
    .filter(({ startsAt, endsAt }) => endsAt > startsAt && lastDateOf(endsAt, zone) >= startedOn)
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const block: Granted[] = [];
  for (const each of left) {
    const end = block.at(-1)?.endsAt;
    if (end !== undefined && each.startsAt > end) break;
    // One that ends earlier adds nothing.
    if (end === undefined || each.endsAt > end) block.push(each);
  }
  return block;
}

function keyOf({ startsAt, endsAt, entitlementId }: Granted): string {
  return [startsAt, endsAt, entitlementId].join(' ');
}

function lastDateOf(endsAt: string, zone: string): string {
  return localDate(new Date(Date.parse(endsAt) - 1), zone);
}

/** @returns the last date of all, and the term of a date: the one that ends last; null if no entitlement covers the date */
export function termsOfRun(run: Run, granted: readonly Granted[], zone: string) {
  const { endedAt } = run;
  const terms = blockOf(run.startedOn, granted, zone).map((each): Term & { readonly firstDate: string } => {
    const endsAt = endedAt !== null && endedAt < each.endsAt ? endedAt : each.endsAt;
    return { ...each, endsAt, firstDate: localDate(new Date(each.startsAt), zone), lastDate: lastDateOf(endsAt, zone) };
  });
  return {
    last: terms.at(-1)?.lastDate ?? null,
    termOn: (date: string): Term | null =>
      terms.findLast(({ firstDate, lastDate, startsAt, endsAt }) => {
        return firstDate <= date && date <= lastDate && startsAt < endsAt;
      }) ?? null,
  };
}
