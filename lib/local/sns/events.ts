import { randomUUID } from 'node:crypto';
import type { Application, Endpoint } from './directory.ts';

/**
 * Application events: https://docs.aws.amazon.com/sns/latest/dg/application-event-notifications.html
 * Each event goes to the topic in the application's attribute of the same name; without this attribute it is dropped.
 */

type EventType = 'EndpointCreated' | 'EndpointDeleted' | 'EndpointUpdated' | 'DeliveryFailure';

/** A message of a topic, as an HTTP or SQS subscriber gets it, but without the signature. */
export type Notification = {
  readonly Type: 'Notification';
  readonly MessageId: string;
  readonly TopicArn: string;
  readonly Subject: string;
  /** JSON. */
  readonly Message: string;
  readonly Timestamp: string;
};

export type Emit = (
  type: EventType,
  application: Application,
  endpoint: Endpoint,
  more?: Readonly<Record<string, unknown>>,
) => void;

export const eventAttributes = [
  'EventEndpointCreated',
  'EventEndpointDeleted',
  'EventEndpointUpdated',
  'EventDeliveryFailure',
];

type Options = { readonly now: () => number; readonly onEvent?: ((event: Notification) => void) | undefined };

/** Events come a moment after the answer to their call. On AWS this takes longer. */
const DELAY_MS = 50;

type Events = {
  readonly emit: Emit;
  /** How many are still to come. */
  readonly waiting: () => number;
  readonly stop: () => void;
};

export function openEvents({ now, onEvent }: Options): Events {
  const waiting = new Set<NodeJS.Timeout>();
  return {
    emit: (type, application, endpoint, more = {}) => {
      const topicArn = application.attributes[`Event${type}`];
      if (!topicArn || !onEvent) return;
      const notification = notificationOf({ type, application, endpoint, more, topicArn, time: new Date(now()) });
      const later = setTimeout(() => {
        waiting.delete(later);
        try {
          onEvent(notification);
        } catch (error) {
          console.error('A hook for SNS events failed:', error);
        }
      }, DELAY_MS);
      waiting.add(later);
    },
    waiting: () => waiting.size,
    stop: () => {
      for (const later of waiting) clearTimeout(later);
      waiting.clear();
    },
  };
}

type Event = {
  readonly type: EventType;
  readonly application: Application;
  readonly endpoint: Endpoint;
  readonly more: Readonly<Record<string, unknown>>;
  readonly topicArn: string;
  readonly time: Date;
};

function notificationOf({ type, application, endpoint, more, topicArn, time }: Event): Notification {
  const { arn, name, platform } = application;
  const fields: Record<string, unknown> = {
    EndpointArn: endpoint.arn,
    EventType: type,
    Resource: arn,
    Service: 'SNS',
    Time: time.toISOString(),
    ...more,
  };
  return {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Subject: `${type} event for app ${name} (${platform})`,
    // SNS sends the members in alphabetical order.
    Message: JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))),
    Timestamp: time.toISOString(),
  };
}

/** The event with which SNS invokes a function that subscribes to the topic. */
export function lambdaEvent({ Type, ...notification }: Notification) {
  return {
    Records: [
      {
        EventSource: 'aws:sns',
        EventVersion: '1.0',
        EventSubscriptionArn: `${notification.TopicArn}:local`,
        Sns: { Type, ...notification, MessageAttributes: {} },
      },
    ],
  };
}
