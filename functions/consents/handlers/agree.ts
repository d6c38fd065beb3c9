import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AgreementVersionNotFound } from '../../agreements/errors.ts';
import { readAgreement, readVersionName } from '../../agreements/exports.ts';
import { activeVersion } from '../../agreements/rules/catalogue.ts';
import { AgreementVersionNotActive } from '../errors.ts';
import { agree } from '../routes.ts';
import { decideAgreement } from '../rules/consent.ts';
import { shownOf } from '../rules/shown.ts';
import { readState } from '../stores/consent-rows.ts';
import { recordChange } from '../workflows/record-change.ts';

export const handler = serve(agree)(
  async ({ params, headers, body, caller, account, application, now, requestId, tables, count, fail }) => {
    const { versionId } = params;
    const name = await readVersionName(dynamo(), tables.Agreements, versionId);
    if (name?.owner !== application) return fail(AgreementVersionNotFound);
    const { agreementId } = name;
    const found = await readAgreement(dynamo(), tables.Agreements, application, agreementId);
    const version = found?.versions.find((each) => each.versionId === versionId);
    if (!found || !version) return fail(AgreementVersionNotFound);

    const { userId } = caller;
    const { ends } = await account();
    const shown = shownOf(version, body, (available, fallback, wanted) =>
      chooseLanguage(available, fallback, wanted, headers['accept-language']),
    );
    const active = activeVersion(found.versions, now.toISOString());
    if (active?.versionId !== versionId) {
      // A doubled call may arrive after its version was superseded; it still says what is true.
      const decision = decideAgreement(
        await readState(dynamo(), tables.ConsentStates, { userId, agreementId }),
        shown,
        ends,
      );
      if (decision.outcome === 'unchanged' && decision.at) return agreed(agreementId, versionId, decision.at);
      return fail(AgreementVersionNotActive, { agreementId, activeVersionId: active?.versionId ?? null });
    }
    const at = await recordChange(dynamo(), tables, {
      userId,
      agreementId,
      now,
      after: ends.at(-1) ?? null,
      requestId,
      decide: (state) => decideAgreement(state, shown, ends),
      written: () => count('consents'),
    });
    return agreed(agreementId, versionId, at ?? now.toISOString());
  },
);

function agreed(agreementId: string, versionId: string, agreedAt: string) {
  return { success: true, agreementId, versionId, agreed: true as const, agreedAt };
}

await initialize(agree);
