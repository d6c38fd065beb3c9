import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { isSignedBy, readCompact, thumbprintOf } from '../../../lib/runtime/jws.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { readVersionName } from '../../agreements/exports.ts';
import { readRecord } from '../../consents/exports.ts';
import { hashOf } from '../../consents/rules.ts';
import { Clock } from '../../time-machine/tables.ts';
import { verifyReceipt } from '../routes.ts';
import { differingClaims } from '../rules/claims-check.ts';
import { judgeReceipt, type Refusal, recordKeyIn } from '../rules/verification.ts';
import { keptKeys } from '../stores/kept-keys.ts';
import { keptIn, readContent } from '../stores/receipt-rows.ts';

export const handler = serveWithPrefetch(verifyReceipt)({
  prefetch: async (input) => {
    const jws = readCompact(input.body.receipt);
    // A receipt that was signed a moment ago verifies, even with a key that this function did not know before.
    return { jws, keys: await keptKeys(input).including(jws?.kid ?? '') };
  },
  respond: async ({ environment, tables }, { jws, keys }) => {
    const verdict = judgeReceipt(jws, keys, environment, { isSignedBy, thumbprintOf });
    const refused = (reason: Refusal, differs: string[] = []) => {
      return { valid: false, reason, differs, record: null, warning: null };
    };
    if (verdict.refusal !== null) return refused(verdict.refusal);
    const { claims, revokedAt } = verdict;
    // A role that signs receipts might sign anything: only the ledger's record counts.
    const recordKey = recordKeyIn(claims.record);
    if (!recordKey) return refused('WRONG_HASH');
    const row = await readRecord(tables.ConsentRecords, recordKey);
    const record = row && keptIn({ ...row }).record;
    // A record that was changed and kept its hash does not count either.
    if (record?.hash !== recordKey.hash || hashOf(record) !== recordKey.hash) return refused('NOT_IN_LEDGER');
    const owner = (await readVersionName(tables.Agreements, record.versionId))?.owner ?? null;
    const content = owner && (await readContent(tables.Agreements, { ...record, application: owner }));
    const known = { environment, application: owner, content: content || null, now: new Date() };
    const differs = differingClaims(claims, record, { ...known, movedClock: tableExistsIn(Clock, environment) });
    if (differs.length > 0) return refused('CLAIMS_DIFFER', differs);
    const isRevoked = revokedAt !== null && Date.parse(revokedAt) <= Date.now();
    const warning = isRevoked ? { code: 'KEY_REVOKED' as const, since: revokedAt } : null;
    return { valid: true, reason: null, differs: [], record, warning };
  },
});
