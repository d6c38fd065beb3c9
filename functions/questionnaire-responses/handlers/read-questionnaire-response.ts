import { prefers } from '../../../lib/runtime/accept.ts';
import { etagOf } from '../../../lib/runtime/last-write-wins.ts';
import { Representation } from '../../../lib/runtime/representation.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { fhirType } from '../../questionnaires/rules.ts';
import { QuestionnaireResponseNotFound } from '../errors.ts';
import { readQuestionnaireResponse } from '../routes.ts';
import { fhirResponse } from '../rules/fhir-response.ts';
import { readResponse } from '../stores/response-rows.ts';
import { definitionOf } from '../workflows/dependencies.ts';
import { withHelp } from '../workflows/help-of.ts';

export const handler = serve(readQuestionnaireResponse)(async ({ params, headers, caller, now, tables, fail }) => {
  const { userId } = caller;
  const deps = { tables, userId, now };
  const { responseId } = params;
  const row = await readResponse(tables.QuestionnaireResponses, { userId, responseId });
  if (!row || row.isDeleted) return fail(QuestionnaireResponseNotFound);
  if (!prefers(headers.accept, fhirType)) return { etag: etagOf(row), body: await withHelp(deps, row, headers) };
  const definition = await definitionOf(deps, row);
  // Another representation of the same state has its own ETag (RFC 9110 section 8.8.3).
  const etag = `"fhir-${row.revision}"`;
  return { etag, body: new Representation(fhirType, fhirResponse(row, definition, userId)) };
});
