export type TokenBuckets = {
  /** Takes a token from the named bucket; false if the bucket is empty. */
  take(name: string, rate: { readonly ratePerSecond: number; readonly burst: number }, now: number): boolean;
};

/**
 * "API Gateway throttles requests to your API using the token bucket algorithm, where a token counts for a request": `burst`
 * is the bucket's size, `rate` is what is added each second. Names come only from the template, so their number is
 * bounded.
 */
export function createTokenBuckets(): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(name, { ratePerSecond, burst }, now) {
      let bucket = buckets.get(name);
      if (!bucket) {
        bucket = { tokens: burst, at: now };
        buckets.set(name, bucket);
      }
      const inflow = (Math.max(now - bucket.at, 0) / 1000) * ratePerSecond;
      bucket.tokens = Math.min(burst, bucket.tokens + inflow);
      bucket.at = now;
      // A rate like 100/60 gives 0.999… instead of a whole token.
      if (bucket.tokens < 1 - 1e-9) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
