import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import type { Caller } from '../../../lib/runtime/caller.ts';
import { mailTo, noticeId } from '../../mail/exports.ts';

type Given = { readonly caller: Caller; readonly queues: { readonly MailQueue: string } };

/**
 * Whoever uses an administrator's stolen session makes an account that outlives it, so the administrator gets a mail.
 *
 * @param occasion the same for the same request: a repetition sends no mail. Also of a request that changes nothing: the one before it
 * may have failed to send it
 * @throws an Error where SQS does not take it
 */
export async function tellGiver(
  { caller, queues }: Given,
  { userId, email }: StaffAccount,
  roles: readonly string[],
  occasion: string,
): Promise<void> {
  const data = { member: email ?? userId, roles: roles.join(', ') || '–' };
  const mail = {
    kind: 'rights-given',
    application: 'medinfo',
    to: { userId: caller.userId },
    locale: null,
    data,
  } as const;
  await mailTo(queues.MailQueue, mail, noticeId(caller.userId, 'rights', userId, occasion, ...roles));
}
