import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import type { Notification, Published, Target } from '../rules/notification.ts';
import { type PublishInput, publishInput } from '../rules/payload.ts';

export type { Published } from '../rules/notification.ts';

/** One push to one device's endpoint; what became of it is a value, whatever it is. */

export type Sender = {
  readonly client: SNSClient;
  /** Gives up: the push is then `unavailable`, and may have been sent. */
  readonly abortSignal?: AbortSignal | undefined;
};

/** @param bundleId the iOS app's */
export async function publish(
  sender: Sender & { readonly bundleId: string },
  target: Target,
  notification: Notification,
): Promise<Published> {
  return send(sender, publishInput(target, notification, sender.bundleId));
}

/** @param input a `publishInput` */
export async function send({ client, abortSignal }: Sender, input: PublishInput): Promise<Published> {
  try {
    const { MessageId } = await client.send(new PublishCommand(input), { abortSignal });
    return { outcome: 'sent', snsMessageId: MessageId ?? '' };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** https://docs.aws.amazon.com/sns/latest/api/API_Publish.html#API_Publish_Errors */
function outcomeOf(error: unknown): Published {
  if (!(error instanceof Error)) return { outcome: 'unavailable', error: typeof error };
  const { name, message } = error;
  if (name === 'EndpointDisabledException') return { outcome: 'disabled' };
  if (name === 'NotFoundException') return { outcome: 'rejected', because: 'endpoint' };
  if (name === 'InvalidParameterException' || name === 'InvalidParameterValueException') {
    // `Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified`
    return { outcome: 'rejected', because: /^Invalid parameter: TargetArn\b/.test(message) ? 'endpoint' : 'request' };
  }
  if (throttlings.has(name)) return { outcome: 'throttled' };
  // A disabled platform application is one, too: its key has expired, and every device of it waits for a new one.
  return { outcome: 'unavailable', error: isUnavailable(error) ? name : `Unexpected.${name}` };
}

const throttlings = new Set(['ThrottledException', 'Throttling', 'ThrottlingException', 'RequestThrottled']);
