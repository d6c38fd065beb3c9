import * as z from 'zod/mini';
import { Id, Timestamp } from '../../lib/contract/fields.ts';

export const SignInEntry = z.object({
  signInId: Id,
  /** Real time, whatever the time machine says. */
  at: Timestamp,
  application: z.enum(['sleepcare', 'medinfo']),
  /** Of the IP address: `192.0.2.0/24`, or `2001:db8:17::/48`. Null where it is not known. */
  network: z.nullable(z.string()),
  /** The app did not prove an earlier session of this account. The owner got a mail. */
  isNewDevice: z.boolean(),
});
