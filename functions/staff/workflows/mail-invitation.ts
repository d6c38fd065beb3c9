import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { writeEvent } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent } from '../../audit/rules.ts';
import { mailTo } from '../../mail/exports.ts';
import { staffInvitedAgain } from '../audit-actions.ts';
import { auditedStanding, type StaffAccount } from '../rules/staff.ts';

/** @throws an Error if SQS does not accept the message */
export async function mailInvitation(
  queueUrl: string,
  { userId, email, isReset = false }: Pick<StaffAccount, 'userId' | 'email' | 'isReset'>,
  locale: string | null,
): Promise<boolean> {
  if (email === null) return false;
  await mailTo(queueUrl, {
    kind: isReset ? 'staff-reset' : 'staff-invitation',
    application: 'medinfo',
    to: { email },
    locale,
    data: {},
    keep: { staffId: userId },
  });
  return true;
}

/**
 * Writes the audit event first: if it cannot be written, no mail is sent.
 *
 * @throws a Failure `UNAVAILABLE`
 */
export async function mailAgain(
  { client, auditEvents, queueUrl }: { client: DynamoDBDocumentClient; auditEvents: string; queueUrl: string },
  account: StaffAccount,
  occasion: AuditOccasion,
): Promise<boolean> {
  const said = {
    action: staffInvitedAgain,
    subject: `staff/${account.userId}`,
    before: null,
    after: auditedStanding(account),
  };
  const event = auditEvent({ ...occasion, ...said, random: randomUUID() });
  await writeEvent(client, auditEvents, event);
  return mailInvitation(queueUrl, account, null);
}
