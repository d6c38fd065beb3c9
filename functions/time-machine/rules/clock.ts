/** The time machine's rules. Times and offsets are in milliseconds. */

/** Without an offset the clock is not set. */
export type ClockRow = { readonly clockId: string; readonly offsetMs?: number };

/**
 * Where the clock may be set to. ISO 8601 times compare as text only while their years have four digits, which sort keys
 * depend on; and nothing that the service does was meant for other centuries.
 */
export const reach = { from: '2000-01-01T00:00:00.000Z', to: '2099-12-31T23:59:59.999Z' } as const;

const first = Date.parse(reach.from);
const last = Date.parse(reach.to);

/** From anywhere within reach, any further move leads out of it. */
export const longestMove = last - first;

/** The offsets that lead to a time within reach, now. */
export function offsetsWithinReach(realNow: number): { least: number; greatest: number } {
  return { least: first - realNow, greatest: last - realNow };
}

export function isWithinReach(offsetMs: number, realNow: number): boolean {
  const { least, greatest } = offsetsWithinReach(realNow);
  return least <= offsetMs && offsetMs <= greatest;
}

/** @param offsetMs null where the clock is not set */
export function clockAt(offsetMs: number | null, realNow: number) {
  return {
    now: new Date(realNow + (offsetMs ?? 0)).toISOString(),
    offsetMs: offsetMs ?? 0,
    isSet: offsetMs !== null,
  };
}
