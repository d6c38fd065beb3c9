/** A domain's widget on the dashboard: the `metrics` of its routes, and its counters. */
export type DomainMetrics = {
  readonly title: string;
  /** By label: counters that its consumers write, under the dimension `application`. */
  readonly counters?: Readonly<Record<string, string>>;
};

/** The namespace of all custom metrics: the functions write them, and the alarms watch them. */
export const metricNamespace = 'MobileHealth';

/**
 * Requests that a handler answered with 500 or above, under the dimensions `application` and `route`; to Lambda these are
 * successes. Written only for such requests, so a route that never fails has no metric to pay for.
 */
export const serverErrors = 'serverErrors';

/**
 * Requests for which the caller lacks the permission, under the dimension `application` alone: one alarm watches
 * all routes. Apps offer only what their users may do.
 */
export const requestsForbidden = 'forbidden';

/**
 * Tokens that no app of ours sends: forged, altered, of another pool or client; under the dimension `application`. Expired ones
 * are everyday and do not count.
 */
export const tokensRefused = 'tokensRefused';

/** Failed attempts at a queue's message, which then comes again; under the dimension `application`. */
export const leftForRetry = 'messagesLeft';

/** Records of a stream that a consumer could not understand and skipped, under the dimension `application`. */
export const recordsSetAside = 'recordsSetAside';

/** The variable of a function whose counts stay in its log lines: no alarm reads them, and a metric costs money in each hour in which it is written. */
export const withoutMetrics = { METRICS: 'off' } as const;
