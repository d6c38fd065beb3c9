import { SESv2Client } from '@aws-sdk/client-sesv2';

/** One try: a mail may have been sent although its answer was lost, and the queue repeats it later. */
const limits = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
} as const;

let made: SESv2Client | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function ses(): SESv2Client {
  made ??= new SESv2Client(limits);
  return made;
}
