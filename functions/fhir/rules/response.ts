import { fhirResponse, type Response } from '../../questionnaire-responses/rules.ts';
import type { Definition } from '../../questionnaires/rules.ts';
import { idSystems, type Resource, resourceId } from './resource.ts';

/** A completed response as the questionnaires' own FHIR has it, under an id that no other patient's has. */
export function fhirAnswers(
  response: Response & { readonly recordedAt: string },
  definition: Definition,
  userId: string,
): Resource {
  const { responseId } = response;
  const { resourceType: _type, id: _id, ...rest } = fhirResponse(response, definition, userId);
  const resourceType = 'QuestionnaireResponse';
  return {
    resourceType,
    id: resourceId(resourceType, userId, responseId),
    identifier: { system: idSystems.response, value: responseId },
    ...rest,
  };
}
