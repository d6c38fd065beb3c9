import type { Platform } from './arns.ts';
import type { Delivery } from './delivery.ts';
import type { MessageAttributes } from './message-attributes.ts';
import type { Presentation } from './presentation.ts';
import type { Refusal } from './refusals.ts';

/** All pushes that were published to an endpoint and accepted. */

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
  /** The request to the push service. */
  readonly delivery: Delivery;
  /** What the phone shows. */
  readonly presentation: Presentation;
  /** Why it never arrives at the phone, although Publish succeeds. Null if it arrives. */
  readonly failure: Refusal | null;
};

export type PushFilter = (push: Push) => boolean;
