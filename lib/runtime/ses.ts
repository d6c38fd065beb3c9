import { SESv2Client } from '@aws-sdk/client-sesv2';
import { mailLimits } from './limits.ts';

let made: SESv2Client | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function ses(): SESv2Client {
  made ??= new SESv2Client(mailLimits);
  return made;
}
