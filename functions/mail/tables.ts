import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { CodeRow } from './rules/code.ts';
import type { Delivery, Notice } from './rules/delivery.ts';
import type { Sent } from './rules/limit.ts';
import type { AccountRow, Held } from './rules/secure-link.ts';

/**
 * The prefix of a key says what a row is:
 * - `mail#<mailId>`: this mail was sent.
 * - `notice#<mailId>`: the agent board has a message about this mail.
 * - `sent#<hash>`: how many mails an address got in the last hour.
 * - `code#<kind>#<hash>`: the keyed hash of the latest code that an address got, and the tries that are left.
 * - `held#<hash>`: whose address it was until the account got another one.
 * - `account#<hash of a user id>`: when the user said "this was not me", and the user's former addresses, sealed.
 *
 * A `<hash>` is the keyed hash of an address.
 */
export const MailRecords = table<Delivery | Notice | Sent | CodeRow | Held | AccountRow>()('MailRecords', {
  partitionKey: 'mailRecord',
  // Whoever checks a code takes a try or a turn, and makes no code.
  adjustable: ['mailId', 'triesLeft', 'enrolled', 'turn', 'turnUntil', 'securedAt', 'former', 'holder', 'expiresAt'],
  expires: true,
});
export type MailRecords<A extends Action> = Handle<typeof MailRecords, A>;
