import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { noticeId } from '../../mail/exports.ts';
import { invitationOf } from '../rules/staff.ts';

/** The id of the mail of an account's last invitation, and of the code that belongs to it. */
export function invitationMailId(account: StaffAccount): string {
  return noticeId(account.userId, invitationOf(account).id);
}
