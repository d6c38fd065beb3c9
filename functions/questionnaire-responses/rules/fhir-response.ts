import { type Answer, type Definition, type Item, isGiven } from '../../questionnaires/rules/definition.ts';
import { canonicalUrl, fhirId, fhirTime, nested, urls } from '../../questionnaires/rules/fhir.ts';
import type { Response } from './response.ts';

/** A response as a FHIR R4 QuestionnaireResponse, and the answers of one: https://hl7.org/fhir/R4/questionnaireresponse.html */

type Node = Readonly<Record<string, unknown>>;

export function fhirResponse(
  response: Response & { readonly recordedAt: string },
  definition: Definition,
  userId: string,
) {
  const { responseId, questionnaireId, version, status, amends, scores, flags } = response;
  const given = new Map(response.answers.filter(isGiven).map((answer) => [answer.linkId, answer]));
  const item = nested<Node>(definition.items, (each, inner) => {
    const answer = given.get(each.linkId);
    if (!answer) return inner.length > 0 ? { linkId: each.linkId, item: inner } : null;
    return { linkId: each.linkId, answer: [fhirValue(answer, each, definition.defaultLocale)] };
  });
  return {
    resourceType: 'QuestionnaireResponse',
    ...fhirId(responseId),
    ...(scores && { extension: [{ url: urls.results, valueString: JSON.stringify({ scores, flags, amends }) }] }),
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

/** The answers of a QuestionnaireResponse, in its order; more than one to an item has no place here. */
export function answersOf({ item = [] }: { readonly item?: readonly Node[] }): Answer[] {
  return item.flatMap((node) => {
    const inner = answersOf({ item: node.item as readonly Node[] | undefined });
    const [value] = (node.answer as readonly Node[] | undefined) ?? [];
    return value ? [answerOf(String(node.linkId), value), ...inner] : inner;
  });
}

function answerOf(linkId: string, value: Node): Answer {
  const { valueInteger, valueDecimal, valueBoolean, valueDate, valueTime, valueString } = value;
  const code = (value.valueCoding as Node | undefined)?.code;
  return {
    linkId,
    ...(code !== undefined && { choice: String(code) }),
    ...(valueInteger !== undefined && { integer: Number(valueInteger) }),
    ...(valueDecimal !== undefined && { decimal: Number(valueDecimal) }),
    ...(valueBoolean !== undefined && { boolean: valueBoolean === true }),
    ...(valueDate !== undefined && { date: String(valueDate) }),
    ...(valueTime !== undefined && { time: String(valueTime).slice(0, 5) }),
    ...(valueString !== undefined && { text: String(valueString) }),
  };
}
