import { etagOf } from '../../../lib/runtime/last-write-wins.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { fhirType } from '../../questionnaires/rules.ts';
import { putQuestionnaireResponse } from '../routes.ts';
import { draftOfFhir } from '../rules/fhir-response-import.ts';
import { entitlementReader } from '../stores/entitlements.ts';
import { withHelp } from '../workflows/help-of.ts';
import { writeDraft } from '../workflows/write-draft.ts';

// https://hl7.org/fhir/R4/versioning.html#mt-version
const ofVersion = `${fhirType};fhirversion=4.0`;
export const otherBodies = { [fhirType]: draftOfFhir, [ofVersion]: draftOfFhir };

export const handler = serve(putQuestionnaireResponse)(async ({ params, headers, body, caller, now, tables }) => {
  const deps = {
    tables,
    userId: caller.userId,
    now,
    entitlements: entitlementReader(tables, now),
  };
  const row = await writeDraft(deps, {
    ...params,
    ...body,
    bundleId: body.bundleId ?? null,
    recordedAt: body.recordedAt ?? null,
    ifMatch: headers['if-match'],
  });
  return { etag: etagOf(row), body: await withHelp(deps, row, headers) };
});
