/** How failed sign-ins of an account from an address are counted: in real time, whatever the time machine says. Pure. */

export type Tries = {
  pair: string;
  /** Sign-ins that were begun and did not succeed. */
  failures: number;
  /** Milliseconds since 1970: of the first and the last of them. */
  since: number;
  last: number;
};

export const mostFailures = 10;
export const windowMs = 15 * 60_000;

/** The tries that count no more: the window has passed, or the lock is over. */
export function isPast({ failures, since, last }: Pick<Tries, 'failures' | 'since' | 'last'>, now: number): boolean {
  return now - (failures >= mostFailures ? last : since) >= windowMs;
}

/** @returns until when sign-ins are refused */
export function lockEnd({ last }: Pick<Tries, 'last'>): string {
  return new Date(last + windowMs).toISOString();
}
