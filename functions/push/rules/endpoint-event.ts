/**
 * SNS's events of endpoints: https://docs.aws.amazon.com/sns/latest/dg/application-event-notifications.html. They come
 * late, twice and in any order, so that an event is a reason to ask SNS, and what SNS then says is what counts.
 */

export type EndpointEvent = {
  readonly endpointArn: string;
  /** For the log; the event's own text names the endpoint. */
  readonly type: string;
  readonly failure: string | null;
  /**
   * `ask`: the endpoint may be disabled or gone. `await`: it is about to be. `none`: neither; another failure is the
   * push's own, not the phone's.
   */
  readonly means: 'ask' | 'await' | 'none';
};

/** By the push service's word the token is dead; SNS disables its endpoint a moment later. */
const deadToken = 'InvalidPlatformToken';

/** @returns null for what is no event of an endpoint */
export function readEndpointEvent(message: string): EndpointEvent | null {
  const event = parsed(message);
  const { EventType: type, EndpointArn: endpointArn, FailureType: failed } = event;
  if (typeof type !== 'string' || typeof endpointArn !== 'string') return null;
  const failure = typeof failed === 'string' ? failed : null;
  return { endpointArn, type, failure, means: meaningOf(type, failure) };
}

function meaningOf(type: string, failure: string | null): EndpointEvent['means'] {
  if (type === 'EndpointUpdated' || type === 'EndpointDeleted') return 'ask';
  if (type !== 'DeliveryFailure') return 'none';
  if (failure === deadToken) return 'await';
  return failure === 'EndpointDisabled' ? 'ask' : 'none';
}

function parsed(message: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
