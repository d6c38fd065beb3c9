/** A row as it is: an attacker may have written anything. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A change of one row, from the stream of its table. */
export type RowChange = {
  readonly before: StoredRow | null;
  readonly after: StoredRow | null;
  /** DynamoDB itself deleted the row, because it expired. */
  readonly isByTimeToLive: boolean;
  /** When it was committed, by DynamoDB. */
  readonly at: Date;
};

/**
 * Tolerated between the clock that dates a row and its commit: a request ends within 30 s, and hosts keep time within
 * seconds.
 */
export const skewMs = 5 * 60_000;

/** @param says the time in a row @param at its commit @returns null for a time that the row may have */
export function misdatingOf(says: unknown, at: Date): 'backdated' | 'postdated' | null {
  // NaN: a row without a valid time.
  const said = Date.parse(String(says));
  if (said > at.getTime() + skewMs) return 'postdated';
  return said >= at.getTime() - skewMs ? null : 'backdated';
}

/**
 * A text of a row for people. An attacker may have planted it: it must not forge a line of the message, and must not make
 * SNS refuse the message.
 */
export function shownText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

/**
 * Whether our code threw it at a value that no honest function writes. A watcher then goes on with what comes behind. The SDK's errors
 * about an answer that it does not understand have `$response`.
 */
export function isOfValue(error: unknown): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && !('$response' in error);
}
