import { noticeId } from '../../mail/exports.ts';
import { invitationOf, type StaffAccount } from '../rules/staff.ts';

/** The id of the mail of an account's last invitation, and of the code that belongs to it. */
export function invitationMailId(account: StaffAccount): string {
  return noticeId(account.userId, invitationOf(account).id);
}
