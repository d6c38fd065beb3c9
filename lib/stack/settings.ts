import type { Throttle } from '../contract/settings.ts';

/** The limits that are the same in every environment. */

/** Decision 3. */
export const addressLimit = { requests: 100, windowSeconds: 60 } as const;
export const usagePlan: Throttle = { ratePerSecond: 100 / 60, burst: 10 };

/** Memory buys CPU: 1769 MB is one vCPU. */
export const sizes = {
  route: { memoryMb: 1024, timeoutSeconds: 10 },
  consumer: { memoryMb: 512, timeoutSeconds: 10 },
  /** One vCPU, because a person waits for the result. */
  longConsumer: { memoryMb: 1769, timeoutSeconds: 60 },
  /** Longer than its caller waits, so that it finishes what it has begun. As much CPU as a route: a person waits. */
  procedure: { memoryMb: 1024, timeoutSeconds: 20 },
  /** These functions read whole tables: they get the longest time that Lambda allows. */
  scheduled: { memoryMb: 1769, timeoutSeconds: 900 },
  /** The keys of the pool take 2 s at most, and a row of staff 6 s: three tries, and the pauses of a throttled table. */
  authorizer: { memoryMb: 512, timeoutSeconds: 9 },
  /** Cognito waits five seconds: https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-working-with-lambda-triggers.html */
  tokenTrigger: { memoryMb: 512, timeoutSeconds: 5 },
  routeNotFound: { memoryMb: 256, timeoutSeconds: 3 },
} as const;

/**
 * Shorter than the function's own time-out. So the gateway answers 504 TIMEOUT; a function that Lambda stopped would cause
 * a 500 (docs/conventions.md).
 */
export const integrationTimeoutMs = sizes.route.timeoutSeconds * 1000 - 500;
