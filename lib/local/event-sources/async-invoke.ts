import { setTimeout as sleep } from 'node:timers/promises';
import type { InvokeResult } from '../functions/result.ts';

export type AsyncInvocation = {
  readonly retries: number;
  /** The wait before another attempt. Lambda waits one minute, then two. */
  readonly pauseMs: number;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
};

/**
 * Lambda's asynchronous invocation, with retries if the function fails.
 *
 * @returns the result of the last attempt; null without any attempt
 */
export async function invokeAsync(
  invoke: () => Promise<InvokeResult>,
  { retries, pauseMs, signal }: AsyncInvocation,
): Promise<InvokeResult | null> {
  let result: InvokeResult | null = null;
  for (let attempt = 0; attempt <= retries && !signal.aborted; attempt += 1) {
    if (attempt > 0) await sleep(attempt * pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    result = await invoke();
    if (result.ok) break;
  }
  return result;
}
