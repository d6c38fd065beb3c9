import { commit } from '../../../lib/runtime/commit.ts';
import { orderedId } from '../../agent-board/rules.ts';
import type { Batch } from '../rules/batch.ts';
import { newCode } from '../rules/code.ts';
import { putBatch, readBatch } from '../stores/code-rows.ts';
import { type IssueDependencies, issueCodesOf } from '../workflows/issue-codes.ts';

/** Fixed, so that every start of the local stage has the same codes. */
const batch: Batch = {
  batchId: orderedId(Date.parse('2026-01-01T00:00:00.000Z'), '5eed5eed-0000-4000-8000-000000000000'),
  count: 32,
  kind: 'clinic',
  programmeId: 'insomnia-basic',
  grantsDays: 90,
  redeemBy: '2099-12-31T23:59:59.000Z',
  siteId: null,
  studyId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  revokedAt: null,
  entitlementsEndedAt: null,
  revision: 1,
};

/** Codes that everybody knows, where everybody may know them: on a laptop. Each is redeemed once, as all are. */
const seededCodes: readonly string[] = Array.from({ length: batch.count }, (_, index) =>
  newCode(Uint8Array.from([3, 4, 21, 4, 11, 14, 15, 4, 17, 0, 0, index])),
);

/** Writes what is not there yet. */
export async function seedAccessCodes(deps: IssueDependencies): Promise<void> {
  const { tables } = deps;
  if (!(await readBatch(tables.AccessCodeBatches, batch.batchId))) {
    await commit([putBatch(tables.AccessCodeBatches, batch)], batch.batchId);
  }
  const there = await readBatch(tables.AccessCodeBatches, batch.batchId);
  if (!there || there.revision > 1) return;
  const realNow = new Date();
  const issue = { batch: there, expiresAt: Math.floor(realNow.getTime() / 1000), realNow };
  await issueCodesOf(deps, issue, (size, from) => seededCodes.slice(from, from + size));
}
