import { randomUUID } from 'node:crypto';
import { writeEvent } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { researchExportAddressesIssued } from '../audit-actions.ts';
import type { ResearchExport } from '../rules/export.ts';

type Issued = Pick<AuditEvent, 'application' | 'actor' | 'requestId'> &
  Pick<ResearchExport, 'studyId' | 'exportId'> & {
    readonly realNow: Date;
    readonly downloadUrlsExpireAt: string;
  };

/**
 * The audit event of the addresses of an export's files, which need no token. It is written before they are made: no address is
 * without an event.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function auditAddresses(
  table: AuditEvents<'put'>,
  { studyId, exportId, downloadUrlsExpireAt, ...occasion }: Issued,
): Promise<void> {
  const event = auditEvent({
    ...occasion,
    action: researchExportAddressesIssued,
    subject: `study/${studyId}`,
    before: null,
    after: { exportId, downloadUrlsExpireAt },
    random: randomUUID(),
  });
  await writeEvent(table, event);
}
