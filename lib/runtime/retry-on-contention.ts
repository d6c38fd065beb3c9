import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';

/** The result of an attempt that met another writer: the attempt is made again with fresh reads. */
export const contended = Symbol('contended');

export type RetryOptions = {
  /** How often an attempt is repeated. */
  readonly retries?: number;
  /** Waits before the given repetition; the first one is 1. Tests pass one that does not wait. */
  readonly pause?: (attempt: number) => Promise<unknown>;
};

/** Full jitter, so that writers who met once do not meet again: 20 ms doubled each time, 640 ms at most. */
export const jitter = (attempt: number): Promise<unknown> => sleep(Math.random() * Math.min(640, 20 * 2 ** attempt));

/**
 * Calls `attempt`, which reads, decides and writes, until no other writer was first. Each attempt reads again everything
 * that its decision depends on.
 *
 * @param attempt gets its own number, from 0
 * @throws a Failure `UNAVAILABLE` after five repetitions unless `retries` says otherwise
 */
export async function retryOnContention<T>(
  attempt: (number: number) => Promise<T | typeof contended>,
  { retries = 5, pause = jitter }: RetryOptions = {},
): Promise<T> {
  for (let number = 0; number <= retries; number += 1) {
    if (number > 0) await pause(number);
    const result = await attempt(number);
    if (result !== contended) return result;
  }
  throw new Failure(Unavailable);
}
