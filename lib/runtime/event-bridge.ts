import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { callLimits } from './limits.ts';

let client: EventBridgeClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function eventBridge(): EventBridgeClient {
  client ??= new EventBridgeClient(callLimits);
  return client;
}
