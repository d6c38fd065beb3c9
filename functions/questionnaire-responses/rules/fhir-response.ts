import {
  type Answer,
  canonicalUrl,
  type Definition,
  type Extension,
  fhirId,
  fhirTime,
  type Item,
  isGiven,
  nested,
  urls,
} from '../../questionnaires/rules.ts';
import type { Response } from './response.ts';

/** A response as a FHIR R4 QuestionnaireResponse; `fhir-response-import.ts` makes the same draft from it. */

type Node = Readonly<Record<string, unknown>>;

export function fhirResponse(
  response: Response & { readonly recordedAt: string },
  definition: Definition,
  userId: string,
) {
  const { responseId, questionnaireId, version, status, amends, bundleId, scores, flags } = response;
  const given = new Map(response.answers.filter(isGiven).map((answer) => [answer.linkId, answer]));
  const item = nested<Node>(definition.items, (each, inner) => {
    const answer = given.get(each.linkId);
    if (!answer) return inner.length > 0 ? { linkId: each.linkId, item: inner } : null;
    return { linkId: each.linkId, answer: [fhirValue(answer, each, definition.defaultLocale)] };
  });
  const extension: Extension[] = [
    ...(scores ? [{ url: urls.results, valueString: JSON.stringify({ scores, flags, amends }) }] : []),
    ...(bundleId === null ? [] : [{ url: urls.bundle, valueString: bundleId }]),
  ];
  return {
    resourceType: 'QuestionnaireResponse',
    ...fhirId(responseId),
    ...(extension.length > 0 && { extension }),
    questionnaire: `${canonicalUrl(questionnaireId)}|${version}`,
    status: status === 'draft' ? 'in-progress' : amends === null ? 'completed' : 'amended',
    subject: { reference: `Patient/${userId}` },
    authored: response.completedAt ?? response.recordedAt,
    ...(item.length > 0 && { item }),
  };
}

function fhirValue({ choice, integer, decimal, boolean, date, time, text }: Answer, item: Item, locale: string): Node {
  const display = item.options?.find(({ value }) => value === choice)?.text[locale];
  return {
    ...(choice !== undefined && { valueCoding: { code: choice, ...(display !== undefined && { display }) } }),
    ...(integer !== undefined && { valueInteger: integer }),
    ...(decimal !== undefined && { valueDecimal: decimal }),
    ...(boolean !== undefined && { valueBoolean: boolean }),
    ...(date !== undefined && { valueDate: date }),
    ...(time !== undefined && { valueTime: fhirTime(time) }),
    ...(text !== undefined && { valueString: text }),
  };
}
