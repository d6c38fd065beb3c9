import { prefers } from '../../../lib/runtime/accept.ts';
import { preferredLanguage } from '../../../lib/runtime/language.ts';
import { Representation } from '../../../lib/runtime/representation.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { QuestionnaireNotFound } from '../errors.ts';
import { readQuestionnaire } from '../routes.ts';
import { crisisHelp } from '../rules/crisis-help.ts';
import { fhirType } from '../rules/fhir.ts';
import { fhirQuestionnaire } from '../rules/fhir-questionnaire.ts';
import { readLocaleAndZone } from '../stores/locale-and-zone.ts';
import { readVersion } from '../stores/version-rows.ts';

export const handler = serve(readQuestionnaire)(async ({ params, query, headers, caller, tables, fail }) => {
  const found = await readVersion(tables.Questionnaires, params.questionnaireId, query.version);
  if (!found) return fail(QuestionnaireNotFound);
  if (prefers(headers.accept, fhirType)) return new Representation(fhirType, fhirQuestionnaire(found));
  if (found.flags.length === 0) return { ...found, crisisHelp: null };
  const localeAndZone = await readLocaleAndZone(tables.Users, caller.userId);
  const asked = query.locale ?? preferredLanguage(headers['accept-language']);
  return { ...found, crisisHelp: crisisHelp(localeAndZone, asked) };
});
