import type { RateLimitModel } from '../model.ts';

/** True while the address may continue. Every call counts. */
export type RateLimit = (address: string, now: number) => boolean;

type Arrivals = { times: number[]; head: number };

/**
 * A WAF rate-based rule, exact: a request passes if fewer than `limit` arrived from its address in the window before it.
 * Blocked requests count too, as on AWS: the rule "counts the requests for the [window] immediately preceding the current
 * time" and blocks while "the aggregation instance's request count is currently over the limit" (WAF developer guide);
 * nothing excludes blocked requests. A client that pauses is let in again; a client that keeps sending is not.
 */
export function createRateLimit(
  rule: Pick<RateLimitModel, 'limit' | 'windowSeconds'>,
  maximumAddresses = 10_000,
): RateLimit {
  const { limit } = rule;
  const windowMs = rule.windowSeconds * 1000;
  // In the order of their last requests, so the first address is the first to be forgotten.
  const addresses = new Map<string, Arrivals>();
  let latest = '';
  return (address, now) => {
    let arrivals = addresses.get(address);
    if (!arrivals) {
      const [oldest] = addresses.keys();
      if (oldest !== undefined && addresses.size >= maximumAddresses) addresses.delete(oldest);
      arrivals = { times: [], head: 0 };
      addresses.set(address, arrivals);
    } else if (address !== latest) {
      addresses.delete(address);
      addresses.set(address, arrivals);
    }
    latest = address;
    const { times } = arrivals;
    while (arrivals.head < times.length && (times[arrivals.head] ?? now) <= now - windowMs) arrivals.head += 1;
    const passes = times.length - arrivals.head < limit;
    times.push(now);
    // Only the newest `limit` requests can decide about a later request.
    if (times.length - arrivals.head > limit) arrivals.head += 1;
    if (arrivals.head > 64 && arrivals.head * 2 > times.length) {
      times.splice(0, arrivals.head);
      arrivals.head = 0;
    }
    return passes;
  };
}
