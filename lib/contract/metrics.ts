/** What a domain shows on the dashboard, in a widget of its own: the `metrics` of its routes, and its counters. */
export type DomainMetrics = {
  readonly title: string;
  /** By label: counters that its consumers add to, under the dimension `application`. */
  readonly counters?: Readonly<Record<string, string>>;
};

/** The namespace of all custom metrics: what the functions write and the alarms watch. */
export const metricNamespace = 'MobileHealth';

/**
 * Requests that a handler answered with 500 or above, under the dimensions `application` and `route`: successes to Lambda.
 * Written only for these, so that a route that never fails has no metric to pay for.
 */
export const serverErrors = 'serverErrors';

/** Attempts at a queue's message that failed, after which it comes again; under the dimension `application`. */
export const leftForRetry = 'messagesLeft';

/**
 * Records of a stream that a consumer could not understand and went on without, under the dimension `application`. Each
 * consumer that sets some aside has a count of its own: `PublishConsentEvents` → `recordsSetAsideByPublishConsentEvents`.
 */
export function setAsideBy(consumer: string): string {
  return `recordsSetAsideBy${consumer}`;
}
