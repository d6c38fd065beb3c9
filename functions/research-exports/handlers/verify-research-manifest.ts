import { isSignedBy, readCompact, thumbprintOf } from '../../../lib/runtime/jws.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { keptKeys } from '../../receipts/exports.ts';
import { judgeSigned, manifestType, type SignatureRefusal } from '../../receipts/rules.ts';
import { verifyResearchManifest } from '../routes.ts';
import { differingFromExport, namedBy } from '../rules/manifest.ts';
import { readExportRow } from '../stores/export-rows.ts';

type Refusal = SignatureRefusal | 'NOT_EXPORTED' | 'CLAIMS_DIFFER';

export const handler = serveWithPrefetch(verifyResearchManifest)({
  prefetch: async (input) => {
    const jws = readCompact(input.body.manifest);
    // A manifest that was signed a moment ago verifies, even with a key that this function did not know before.
    return { jws, keys: await keptKeys(input).including(jws?.kid ?? '') };
  },
  respond: async ({ environment, tables }, { jws, keys }) => {
    const verdict = judgeSigned(jws, { keys, environment, type: manifestType }, { isSignedBy, thumbprintOf });
    const refused = (reason: Refusal, differs: string[] = []) => ({ valid: false, reason, differs, warning: null });
    if (verdict.refusal !== null) return refused(verdict.refusal);
    const { claims, revokedAt } = verdict;
    const named = namedBy(claims);
    const row = named && (await readExportRow(tables.ResearchExports, named));
    if (row?.status !== 'done') return refused('NOT_EXPORTED');
    const differs = differingFromExport(claims, row, environment);
    if (differs.length > 0) return refused('CLAIMS_DIFFER', differs);
    const isRevoked = revokedAt !== null && Date.parse(revokedAt) <= Date.now();
    const warning = isRevoked ? { code: 'KEY_REVOKED' as const, since: revokedAt } : null;
    return { valid: true, reason: null, differs: [], warning };
  },
});
