import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { readStudy } from '../../research/exports.ts';
import type { Studies } from '../../research/tables.ts';
import { researchExportRequested } from '../audit-actions.ts';
import { type AskedExport, asked, exportOf, isGivenUp, isOpen, type ResearchExport } from '../rules/export.ts';
import { putRequested, readExportRow, readLatestId } from '../stores/export-rows.ts';
import type { ResearchExports } from '../tables.ts';

export type Requesting = {
  readonly tables: {
    readonly Studies: Studies<'get'>;
    readonly ResearchExports: ResearchExports<'get' | 'update'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
  readonly studyId: string;
  /** By the clock of the business rules. */
  readonly now: Date;
  readonly realNow: Date;
  readonly once: Once | null;
  readonly occasion: Pick<AuditEvent, 'application' | 'actor' | 'requestId'>;
  readonly send: (row: ResearchExport) => Promise<void>;
};

export type Requested =
  | { readonly outcome: 'accepted'; readonly row: ResearchExport }
  | { readonly outcome: 'under-way'; readonly exportId: string }
  | { readonly outcome: 'no-study' }
  | { readonly outcome: 'not-exported' };

/**
 * Writes the row, then sends the message. After a crash in between, the next request sends the message: a repeated request, or one
 * that is refused because an export is under way. An additional message does no harm.
 *
 * @throws a Failure `UNAVAILABLE` if all attempts meet contention; `IDEMPOTENCY_KEY_REUSED`
 */
export async function requestExport(how: Requesting): Promise<Requested> {
  const { tables, studyId, now, realNow, once, send } = how;
  const random = randomUUID().replaceAll('-', '');
  const named = (exportId: string) => readExportRow(tables.ResearchExports, { studyId, exportId });
  const repeated = async (row: ResearchExport): Promise<ResearchExport> => {
    if (row.status === 'pending') await send(row);
    return row;
  };
  return retryOnContention(async (): Promise<Requested | typeof contended> => {
    const [made, study, latestId] = await Promise.all([
      recall(tables.IdempotencyKeys, once),
      readStudy(tables.Studies, studyId),
      readLatestId(tables.ResearchExports, studyId),
    ]);
    const known = made?.exportId === undefined ? null : await named(made.exportId);
    if (known) return { outcome: 'accepted', row: await repeated(known) };
    if (!study) return { outcome: 'no-study' };
    if (study.state !== 'recruiting' && study.state !== 'closed') return { outcome: 'not-exported' };
    const row = exportOf(asked({ studyId, enrolledUntil: now, now: realNow, random }));
    const latest = latestId === null ? null : await named(latestId);
    if (latest && isOpen(latest) && !isGivenUp(latest, realNow)) {
      await repeated(latest);
      return { outcome: 'under-way', exportId: latest.exportId };
    }
    if (!(await committed(how, row, latestId))) return contended;
    await send(row);
    return { outcome: 'accepted', row };
  });
}

async function committed(
  { tables, once, occasion, realNow }: Requesting,
  row: AskedExport,
  latestId: string | null,
): Promise<boolean> {
  const { studyId, exportId } = row;
  const event = auditEvent({
    ...occasion,
    realNow,
    action: researchExportRequested,
    subject: `study/${studyId}`,
    before: null,
    after: { exportId },
    random: randomUUID(),
  });
  return commit([
    ...putRequested(tables.ResearchExports, row, latestId),
    ...rememberedIn(tables.IdempotencyKeys, once, { exportId }),
    auditPut(tables.AuditEvents, event),
  ]);
}
