import { KMSClient } from '@aws-sdk/client-kms';
import { callLimits } from './limits.ts';

let client: KMSClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function kms(): KMSClient {
  client ??= new KMSClient(callLimits);
  return client;
}
