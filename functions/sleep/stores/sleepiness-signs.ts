import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { put, query } from '../../../lib/runtime/rows.ts';
import type { SignRow } from '../rules/sleepiness.ts';
import type { SleepinessSigns } from '../tables.ts';

/** Table `SleepinessSigns`: when the diary said that the patient nodded off. Every read is strongly consistent. */

/** An entry that says that the patient nodded off. */
export type NoddedOff = {
  readonly userId: string;
  readonly date: string;
  /** The same if the same write is repeated. */
  readonly fingerprint: string;
  readonly now: Date;
};

/**
 * The write that remembers it, for the transaction of its diary entry: it stays when the entry is corrected or deleted. Each entry
 * that says so is a sign of its own, also the second one of a date.
 */
export function rememberNoddedOff(table: SleepinessSigns<'put'>, { userId, date, fingerprint, now }: NoddedOff): Items {
  const noddedOffAt = now.toISOString();
  return [put(table, { userId, sign: `${noddedOffAt}#${date}`, date, noddedOffAt, fingerprint })];
}

/**
 * The same write, where the entry itself is not written. A repetition is no new sign. If two of them come at the same time,
 * both are written, with nearly the same time.
 */
export async function rememberAlone(table: SleepinessSigns<'query' | 'put'>, said: NoddedOff): Promise<void> {
  await retryOnContention(async () => {
    const newest = await readNewest(table, said.userId, repeatedAfter);
    const ofDate = newest.find(({ date }) => date === said.date);
    if (ofDate?.fingerprint === said.fingerprint) return null;
    return (await commit(rememberNoddedOff(table, said))) ? null : contended;
  });
}

/** When the service last learned of it, as the key says; null if it never did. A planted key can say anything (`believedSign`). */
export async function readNoddedOffAt(table: SleepinessSigns<'query'>, userId: string): Promise<string | null> {
  const [newest] = await readNewest(table, userId, 1);
  return newest?.sign.split('#')[0] ?? null;
}

/** A request is not sent again after so many signs of other nights. */
const repeatedAfter = 100;

async function readNewest(table: SleepinessSigns<'query'>, userId: string, limit: number): Promise<SignRow[]> {
  const found = await query(table, { ...inPartition({ userId }), ScanIndexForward: false, Limit: limit });
  return found.Items ?? [];
}
