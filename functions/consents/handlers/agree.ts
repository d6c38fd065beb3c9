import { tableIn } from '../../../lib/runtime/clients.ts';
import type { InitOptions } from '../../../lib/runtime/initialize.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AgreementVersionNotFound } from '../../agreements/errors.ts';
import { readAgreement, readCatalogue, readVersionName } from '../../agreements/exports.ts';
import { activeVersion } from '../../agreements/rules.ts';
import { Agreements } from '../../agreements/tables.ts';
import { AgreementVersionNotActive } from '../errors.ts';
import { agree } from '../routes.ts';
import { decideAgreement } from '../rules/consent.ts';
import { shownOf } from '../rules/shown.ts';
import { readState } from '../stores/consent-rows.ts';
import { recordChange } from '../workflows/record-change.ts';

/**
 * The agreement of each version that this function has read. A version's agreement never changes, so the cache never
 * becomes outdated.
 */
const known = new Map<string, string>();

export const handler = serveWithPrefetch(agree)({
  prefetch: async ({ params: { versionId }, caller: { userId }, application, tables }) => {
    const of = async (agreementId: string) => {
      const [found, state] = await Promise.all([
        readAgreement(tables.Agreements, application, agreementId),
        readState(tables.ConsentStates, { userId, agreementId }),
      ]);
      const version = found?.versions.find((each) => each.versionId === versionId);
      return found && version ? { ...found, version, state } : null;
    };
    const agreementId = known.get(versionId);
    const found = agreementId === undefined ? null : await of(agreementId);
    if (found) return found;
    const name = await readVersionName(tables.Agreements, versionId);
    if (name?.owner !== application) return null;
    known.set(versionId, name.agreementId);
    return of(name.agreementId);
  },
  respond: async ({ params, headers, body, caller, account, now, requestId, tables, count, fail }, found) => {
    if (!found) return fail(AgreementVersionNotFound);
    const { versionId } = params;
    const { version, versions, state } = found;
    const { agreementId } = version;
    const { userId } = caller;
    const { ends } = await account();
    const shown = shownOf(version, body, (available, fallback, wanted) =>
      chooseLanguage(available, fallback, wanted, headers['accept-language']),
    );
    const active = activeVersion(versions, now.toISOString());
    if (active?.versionId !== versionId) {
      // A repeated call may arrive after its version was superseded; the original answer is still correct.
      const decision = decideAgreement(state, shown, ends);
      if (decision.outcome === 'unchanged' && decision.at) return agreed(agreementId, versionId, decision.at);
      return fail(AgreementVersionNotActive, { agreementId, activeVersionId: active?.versionId ?? null });
    }
    const at = await recordChange(tables, {
      userId,
      agreementId,
      now,
      after: ends.at(-1) ?? null,
      requestId,
      state,
      decide: (latest) => decideAgreement(latest, shown, ends),
      written: () => count('consents'),
    });
    return agreed(agreementId, versionId, at ?? now.toISOString());
  },
});

function agreed(agreementId: string, versionId: string, agreedAt: string) {
  return { success: true, agreementId, versionId, agreed: true as const, agreedAt };
}

/** What the function reads while Lambda initializes it. */
export const atInit: InitOptions = {
  read: async (where) => {
    const catalogue = await readCatalogue(tableIn(where.variables, Agreements), where.application);
    for (const { versionId, agreementId } of catalogue.flatMap(({ versions }) => versions)) {
      known.set(versionId, agreementId);
    }
  },
};
