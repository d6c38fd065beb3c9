import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import type { ConsentState } from '../../access/consent-states.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readUnversioned } from '../../agreements/exports.ts';
import { dataSharing } from '../../product.ts';
import { RequiredAgreement } from '../errors.ts';
import { revokeConsent } from '../routes.ts';
import { decideRevocation } from '../rules/consent.ts';
import { readNewest, readState } from '../stores/consent-rows.ts';
import { recordChange } from '../workflows/record-change.ts';

export const handler = serveWithPrefetch(revokeConsent)({
  prefetch: ({ params: { agreementId }, caller: { userId }, application, tables }) =>
    Promise.all([
      readUnversioned(tables.Agreements, application, agreementId),
      readState(tables.ConsentStates, { userId, agreementId }),
      readNewest(tables.ConsentRecords, { userId, agreementId, at: null }),
    ]),
  respond: async ({ params, caller, account, now, requestId, tables, count, fail }, [agreement, state, newest]) => {
    const { agreementId } = params;
    // Whoever may write agreements keeps nobody from revoking a consent to share data.
    if (!agreement && state === null) return fail(AgreementNotFound);
    if (agreement?.isRequired && agreementId !== dataSharing) return fail(RequiredAgreement);
    const { userId } = caller;
    const { ends } = await account();
    const written = () => count('revocations');
    const wanted = {
      userId,
      agreementId,
      now,
      after: ends.at(-1) ?? null,
      requestId,
      state,
      ledger: tables.ConsentRecords,
      newest,
      decide: (latest: ConsentState | null) => decideRevocation(latest, ends),
      written,
    };
    const at = await recordChange(tables, wanted);
    return { success: true, agreementId, agreed: false as const, revokedAt: at ?? now.toISOString() };
  },
});
