import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { readCatalogue } from '../../agreements/exports.ts';
import { AgreementVersionNotActive, AgreementVersionsNotFound } from '../errors.ts';
import { agreeToVersions } from '../routes.ts';
import { decideSeveral, findWanted } from '../rules/several.ts';
import { shownOf } from '../rules/shown.ts';
import { readStates } from '../stores/consent-rows.ts';
import { recordChanges } from '../workflows/record-change.ts';

export const handler = serveWithPrefetch(agreeToVersions)({
  prefetch: ({ caller, application, tables }) =>
    Promise.all([
      // Read again, and not taken from the cache of the list: whether a version is active depends on the present state.
      readCatalogue(tables.Agreements, application),
      readStates(tables.ConsentStates, caller.userId),
    ]),
  respond: async ({ headers, body, caller, account, now, requestId, tables, count, fail }, [catalogue, states]) => {
    const { missing, wanted } = findWanted(catalogue, body.versionIds, now.toISOString(), (version) =>
      shownOf(version, body, (available, fallback, stated) =>
        chooseLanguage(available, fallback, stated, headers['accept-language']),
      ),
    );
    if (missing.length > 0) return fail(AgreementVersionsNotFound, { versionIds: missing });
    const { ends } = await account();
    const recorded = await recordChanges(tables, {
      userId: caller.userId,
      now,
      after: ends.at(-1) ?? null,
      requestId,
      states,
      decide: (states) => decideSeveral(wanted, { states, ends }),
      written: () => count('consents'),
    });
    if ('refused' in recorded) {
      const { agreementId, activeVersionId } = recorded.refused;
      return fail(AgreementVersionNotActive, { agreementId, activeVersionId });
    }
    const consents = wanted.map(({ agreementId, shown: { versionId } }, index) => ({
      agreementId,
      versionId,
      agreed: true,
      agreedAt: recorded.agreedAt[index] ?? now.toISOString(),
    }));
    return { success: true, consents };
  },
});
