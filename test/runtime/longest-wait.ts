import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import type { callLimits, hastyLimits } from '../../lib/runtime/limits.ts';

export type Outage = 'TRANSIENT' | 'THROTTLING';

/**
 * Milliseconds until a call of DynamoDB is given up at the latest: each attempt takes its longest and so does each pause
 * between two, as the SDK's own strategy takes it. A throttled call pauses longest, one that times out is transient.
 */
export async function longestWaitMs(limits: typeof callLimits | typeof hastyLimits, outage: Outage): Promise<number> {
  const { maxAttempts, requestHandler } = limits;
  // Both begin with the request: what connects in time has the rest of the other.
  const attemptMs = Math.max(requestHandler.connectionTimeout, requestHandler.requestTimeout);
  return maxAttempts * attemptMs + (await longestPausesMs(limits, outage));
}

/** By a clock of the test's own, and with the greatest of all random numbers. */
async function longestPausesMs(limits: typeof callLimits | typeof hastyLimits, outage: Outage): Promise<number> {
  const client = new DynamoDBClient({ ...limits, region: 'eu-central-1' });
  const strategy = await client.config.retryStrategy();
  if (!('refreshRetryTokenForRetry' in strategy)) throw new Error('the SDK retries by another interface');
  vi.useFakeTimers();
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  try {
    const began = Date.now();
    let token = await strategy.acquireInitialRetryToken('longest-wait');
    for (let attempt = 1; attempt < limits.maxAttempts; attempt += 1) {
      const next = strategy.refreshRetryTokenForRetry(token, { errorType: outage });
      await vi.runAllTimersAsync();
      token = await next;
    }
    return Date.now() - began;
  } finally {
    random.mockRestore();
    vi.useRealTimers();
    client.destroy();
  }
}
