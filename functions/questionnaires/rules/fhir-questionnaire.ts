import type { Condition, Definition, Item, Option } from './definition.ts';
import { canonicalUrl, type Extension, fhirId, fhirTime, nested, texted, urls } from './fhir.ts';

/** A definition as a FHIR R4 Questionnaire, from which `fhir-import.ts` makes the same definition again. */

type Published = Definition & { readonly publishedAt: string };
type FhirItem = Readonly<Record<string, unknown>>;

export function fhirQuestionnaire(definition: Published) {
  const { questionnaireId, version, defaultLocale, title, description, source, wording, items } = definition;
  const { scores, flags, constraints } = definition;
  return {
    resourceType: 'Questionnaire',
    ...fhirId(questionnaireId),
    language: defaultLocale,
    extension: [{ url: urls.scoring, valueString: JSON.stringify({ scores, flags, constraints, wording }) }],
    url: canonicalUrl(questionnaireId),
    version,
    ...texted('title', title, defaultLocale),
    status: 'active',
    subjectType: ['Patient'],
    date: definition.publishedAt,
    ...texted('description', description, defaultLocale),
    ...(source !== undefined && { copyright: source }),
    item: nested<FhirItem>(items, (item, inner) => itemOf(item, inner, defaultLocale)),
  };
}

function itemOf(item: Item, inner: FhirItem[], locale: string): FhirItem {
  const { linkId, type, text, required, enableWhen = [], enableBehavior, options, maxLength } = item;
  const extension = boundsOf(item);
  return {
    ...(extension.length > 0 && { extension }),
    linkId,
    ...texted('text', text, locale),
    type,
    ...(enableWhen.length > 0 && { enableWhen: enableWhen.map(conditionOf) }),
    // FHIR requires it if there are several conditions.
    ...(enableWhen.length > 1 && { enableBehavior: enableBehavior ?? 'all' }),
    ...(required && { required }),
    ...(maxLength !== undefined && { maxLength }),
    ...(options && { answerOption: options.map((option) => optionOf(option, locale)) }),
    ...(inner.length > 0 && { item: inner }),
  };
}

function boundsOf({ type, min, max }: Item): Extension[] {
  const bound = (url: string, value: number | undefined): Extension[] => {
    if (value === undefined) return [];
    return [type === 'integer' ? { url, valueInteger: value } : { url, valueDecimal: value }];
  };
  return [...bound(urls.minValue, min), ...bound(urls.maxValue, max)];
}

function optionOf({ value, text, score }: Option, locale: string) {
  return {
    ...(score !== undefined && { extension: [{ url: urls.ordinalValue, valueDecimal: score }] }),
    valueCoding: { code: value, ...texted('display', text, locale) },
  };
}

function conditionOf({ linkId, operator, choice, integer, decimal, boolean, date, time, text }: Condition) {
  return {
    question: linkId,
    operator,
    ...(choice !== undefined && { answerCoding: { code: choice } }),
    ...(integer !== undefined && { answerInteger: integer }),
    ...(decimal !== undefined && { answerDecimal: decimal }),
    ...(boolean !== undefined && { answerBoolean: boolean }),
    ...(date !== undefined && { answerDate: date }),
    ...(time !== undefined && { answerTime: fhirTime(time) }),
    ...(text !== undefined && { answerString: text }),
  };
}
