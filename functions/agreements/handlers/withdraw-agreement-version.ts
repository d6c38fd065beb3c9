import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { agreementVersionWithdrawn } from '../audit-actions.ts';
import { AgreementVersionNotFound, AgreementVersionNotPublished } from '../errors.ts';
import { withdrawAgreementVersion } from '../routes.ts';
import { named, times } from '../rules/audited-version.ts';
import { statusOf } from '../rules/catalogue.ts';
import { decideWithdrawal } from '../rules/publication.ts';
import { changeCatalogue, replaceVersion } from '../stores/catalogue-changes.ts';
import { findVersionOf, readVersionName } from '../stores/catalogue-reader.ts';

export const handler = serveWithPrefetch(withdrawAgreementVersion)({
  prefetch: ({ params, tables }) => readVersionName(tables.Agreements, params.versionId),
  respond: async (input, name) => {
    const { params, caller, application, now, requestId, tables, fail } = input;
    const at = now.toISOString();
    if (!name) return fail(AgreementVersionNotFound);

    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    return changeCatalogue({ tables }, name.owner, occasion, async () => {
      const current = await findVersionOf(tables.Agreements, { ...params, ...name });
      if (!current) return { result: fail(AgreementVersionNotFound) };
      const { version, versions } = current;
      const decision = decideWithdrawal(version, at);
      if (decision.outcome === 'draft') return { result: fail(AgreementVersionNotPublished) };
      if (decision.outcome === 'unchanged') return { result: { ...version, status: statusOf(version, versions, at) } };
      const withdrawn = { ...version, withdrawnAt: decision.withdrawnAt };
      return {
        result: { ...withdrawn, status: 'withdrawn' as const },
        change: {
          items: replaceVersion(current.agreement.application, withdrawn, version),
          audit: {
            action: agreementVersionWithdrawn,
            subject: named(version),
            before: times(version),
            after: times(withdrawn),
          },
        },
      };
    });
  },
});
