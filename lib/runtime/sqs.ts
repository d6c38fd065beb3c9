import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { callLimits } from './limits.ts';

let client: SQSClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function sqs(): SQSClient {
  // The region's endpoint instead of the host in the queue's address, so that AWS_ENDPOINT_URL_SQS has an effect.
  client ??= new SQSClient({ ...callLimits, useQueueUrlAsEndpoint: false });
  return client;
}

/** SQS's limits for one request: ten messages, and 1 MiB, which ten of our messages never reach. */
const most = 10;

/**
 * Sends all messages, ten to a request.
 *
 * @throws an Error where SQS did not accept every message; some may have been sent
 */
export async function sendAll(
  queueUrl: string,
  bodies: readonly unknown[],
  to: SQSClient = sqs(),
  delaySeconds = 0,
): Promise<void> {
  for (let from = 0; from < bodies.length; from += most) {
    const Entries = bodies.slice(from, from + most).map((body, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(body),
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }));
    const { Failed = [] } = await to.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}`);
  }
}
