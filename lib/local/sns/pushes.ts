import type { Platform } from './arns.ts';
import type { Delivery } from './delivery.ts';
import type { MessageAttributes } from './message-attributes.ts';
import type { Presentation } from './presentation.ts';
import type { Refusal } from './refusals.ts';

/** Everything that was published to an endpoint and accepted. */

export type Push = {
  /** ISO 8601. */
  readonly time: string;
  readonly messageId: string;
  readonly endpointArn: string;
  /** At the time of the push. */
  readonly token: string;
  readonly platform: Platform;
  readonly customUserData: string | null;
  /** The input of Publish, as the SDK takes it. */
  readonly request: {
    readonly TargetArn: string;
    readonly Message: string;
    readonly MessageStructure?: string;
    readonly Subject?: string;
    readonly MessageAttributes?: MessageAttributes;
  };
  /** What the push service is sent. */
  readonly delivery: Delivery;
  /** What the phone makes of it. */
  readonly presentation: Presentation;
  /** Why it never arrives at the phone: Publish succeeds all the same. Null for one that does. */
  readonly failure: Refusal | null;
};

export type PushFilter = (push: Push) => boolean;
