/** Every topic of an environment. What happens on it is known from elsewhere, too: a message that is lost delays that. */

export const topics = {
  /** SNS's own events of the phones' endpoints; `npm run push:connect` has the platform applications name it. */
  PushEvents: { summary: "Events of the phones' endpoints" },
} as const satisfies Record<string, { readonly summary: string }>;

export type TopicName = keyof typeof topics;

export const pushEventsTopic: TopicName = 'PushEvents';

/** The attributes by which a platform application names it. That an endpoint was made we know: it was our own doing. */
export function pushEventsTo(topicArn: string) {
  return { EventEndpointUpdated: topicArn, EventEndpointDeleted: topicArn, EventDeliveryFailure: topicArn };
}
