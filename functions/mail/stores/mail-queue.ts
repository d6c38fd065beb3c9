import { hash, randomUUID } from 'node:crypto';
import { isTime } from '../../../lib/contract/instant.ts';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { keyIdOf } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import { eightDigits, type LinkKind, type Mail, type MailKind } from '../rules/kinds.ts';
import { linkPassword } from './link-password.ts';
import { drawn, drawnToken } from './mail-records.ts';

/**
 * Has a mail sent. The function declares `sendTo(MailQueue)` and gives the queue's address: `queues.MailQueue`.
 *
 * @param mailId the same for the same notice (`noticeId`): a repeated request then sends no second mail. Absent: a new mail
 * @throws an Error where SQS does not take it
 */
export async function mailTo<K extends Exclude<MailKind, LinkKind>>(
  queueUrl: string,
  mail: Mail<K>,
  mailId: string = randomUUID(),
): Promise<void> {
  await sendAll(queueUrl, [{ ...mail, mailId }]);
}

/**
 * Has a mail with a link sent. The function declares `withSecret(MailKey)`, too.
 *
 * @param askedAt ISO 8601; real time. Of two mails the one that was asked for later has the code that works
 * @param before what has to be done before the mail
 * @returns the code that the recipient needs beside the link: the mail does not have it
 * @throws an Error where SQS does not take it
 */
export async function mailLinkTo<K extends LinkKind>(
  { queueUrl, secret }: { readonly queueUrl: string; readonly secret: KeyRing },
  mail: Mail<K>,
  {
    mailId,
    askedAt,
    before,
  }: { readonly mailId: string; readonly askedAt: string; readonly before: () => Promise<void> },
): Promise<string> {
  await before();
  // Functions get a new key at different moments: the one that sends the mail may use another first key.
  const keyId = keyIdOf(secret[0]);
  await sendAll(queueUrl, [{ ...mail, mailId, keyId, askedAt }]);
  return drawn(secret, mailId, eightDigits.digits);
}

/** The temporary password of the account that this mail's link and its code open. */
export function linkPasswordOf(secret: KeyRing, mailId: string): string {
  const code = drawn(secret, mailId, eightDigits.digits);
  return linkPassword(secret, { token: drawnToken(secret, mailId), code });
}

/** For a mail that a repeated request must not send again. @param occasion what happened, and when: whatever is the same for a repetition of the request */
export function noticeId(userId: string, ...occasion: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify([userId, ...occasion]), 'hex').slice(0, 32);
}

/** A forged row may have a time that is none: the mail must not fail for it. */
export function timeToTell(time: string): string {
  return isTime(time) ? time : new Date().toISOString();
}
