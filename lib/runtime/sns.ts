import { SNSClient } from '@aws-sdk/client-sns';
import { callLimits } from './limits.ts';

let made: SNSClient | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function sns(): SNSClient {
  made ??= new SNSClient(callLimits);
  return made;
}
