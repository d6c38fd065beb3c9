import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../contract/common-errors.ts';
import { Failure } from './failure.ts';

/** What an attempt returns that met another writer: it is to be made anew, on what is there now. */
export const contended = Symbol('contended');

export type RetryOptions = {
  /** Times that an attempt is made again. */
  readonly retries?: number;
  /** Waits before the attempt of that number; the first repetition is 1. A test's own is at once. */
  readonly pause?: (attempt: number) => Promise<unknown>;
};

/** Full jitter, so that those who met once do not meet again: 20 ms doubled each time, 640 ms at most. */
export const jitter = (attempt: number): Promise<unknown> => sleep(Math.random() * Math.min(640, 20 * 2 ** attempt));

/**
 * Reads, decides and writes by `attempt`, again and again until no other writer was first. An attempt reads all that it
 * decides on.
 *
 * @param attempt gets its number, from 0
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
