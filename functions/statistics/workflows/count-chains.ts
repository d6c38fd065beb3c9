import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { ConsentRecords } from '../../access/consent-states.ts';
import { advance, type Recorded, release, uncounted } from '../rules/tally.ts';
import { type Chain, readChain, readCounted } from '../stores/chains.ts';
import { inTransactions, isWritten, type Move } from '../stores/moves.ts';
import type { ConsentStatistics } from '../tables.ts';

export type Counting = {
  readonly tables: {
    readonly ConsentRecords: ConsentRecords<'query'>;
    readonly ConsentStatistics: ConsentStatistics<'get' | 'put' | 'update'>;
  };
  readonly pause?: RetryOptions['pause'];
};

/** What was heard of a chain: records, in any order and any of them twice, or that it was let go. */
export type Heard = Chain & { readonly records: readonly Recorded[]; readonly isReleased: boolean };

/** How many times chains are read again because another writer was first, even if only at the row of a day. */
const retries = 10;
const readsAtOnce = 16;

/**
 * Counts into a generation what is not counted there yet. What was heard only says which chains to look at: a chain's row
 * tells how far it is, moves in the same transaction as the figures, and what is missing in between is read from the ledger.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; each chain is counted whole or as far as its row says
 */
export async function countInto(counting: Counting, generation: number, heard: readonly Heard[]): Promise<void> {
  const { tables, pause } = counting;
  let waiting = heard;
  const attempt = async () => {
    while (waiting.length > 0) {
      const found = await mapWithConcurrency(waiting, readsAtOnce, (each) => nextMove(counting, generation, each));
      const moves = found.filter((move) => move !== null);
      const again: Heard[] = [];
      let isLost = false;
      for (const some of inTransactions(moves)) {
        const written = await isWritten(tables.ConsentStatistics, generation, some);
        isLost ||= !written;
        again.push(...some.filter(({ isDone }) => !written || !isDone).map((move) => move.heard));
      }
      waiting = again;
      if (isLost) return contended;
    }
    return true;
  };
  await retryOnContention(attempt, { retries, ...(pause && { pause }) });
}

/** @returns null where all is counted */
async function nextMove(
  { tables }: Counting,
  generation: number,
  heard: Heard,
): Promise<(Move & { heard: Heard }) | null> {
  const from = await readCounted(tables.ConsentStatistics, generation, heard);
  const counted = from ?? uncounted;
  const newRecords = pendingOf(heard.records, counted.sequence);
  if (!heard.isReleased && newRecords.length === 0) return null;
  if (!heard.isReleased && isWhole(newRecords, counted.sequence)) {
    return { heard, chain: heard, from, expiresAt: null, ...advance(counted, newRecords) };
  }
  const { records, expiresAt } = await readChain(tables.ConsentRecords, heard);
  if (heard.isReleased || expiresAt !== null) {
    const isOver = from !== null && from.released === from.sequence;
    return isOver ? null : { heard, chain: heard, from, expiresAt, ...release(counted, records) };
  }
  const pending = pendingOf(records, counted.sequence);
  return pending.length === 0 ? null : { heard, chain: heard, from, expiresAt, ...advance(counted, pending) };
}

function pendingOf(records: readonly Recorded[], counted: number): Recorded[] {
  const pending = new Map(records.filter((one) => one.sequence > counted).map((one) => [one.sequence, one]));
  return [...pending.values()].toSorted((one, other) => one.sequence - other.sequence);
}

function isWhole(records: readonly Recorded[], counted: number): boolean {
  return records.every(({ sequence }, index) => sequence === counted + index + 1);
}
