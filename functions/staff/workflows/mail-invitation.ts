import { mailTo } from '../../mail/exports.ts';
import type { StaffAccount } from '../rules/staff.ts';

/** @throws an Error where SQS does not take it */
export async function mailInvitation(
  queueUrl: string,
  { userId, email }: Pick<StaffAccount, 'userId' | 'email'>,
  locale: string | null,
): Promise<boolean> {
  if (email === null) return false;
  await mailTo(queueUrl, {
    kind: 'staff-invitation',
    application: 'medinfo',
    to: { email },
    locale,
    data: {},
    keep: { staffId: userId },
  });
  return true;
}
