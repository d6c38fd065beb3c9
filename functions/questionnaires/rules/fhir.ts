import type { Item, Texts } from './definition.ts';

/** What FHIR R4's resources have in common here: https://hl7.org/fhir/R4/questionnaire.html */

export const fhirType = 'application/fhir+json';

/** Names things and leads nowhere. */
export const fhirBase = 'https://mobile-health.example/fhir';

export const urls = {
  translation: 'http://hl7.org/fhir/StructureDefinition/translation',
  ordinalValue: 'http://hl7.org/fhir/StructureDefinition/ordinalValue',
  minValue: 'http://hl7.org/fhir/StructureDefinition/minValue',
  maxValue: 'http://hl7.org/fhir/StructureDefinition/maxValue',
  /** Ours: scores and flags, for which FHIR has no element, as JSON. */
  scoring: `${fhirBase}/StructureDefinition/questionnaire-scoring`,
  results: `${fhirBase}/StructureDefinition/questionnaire-results`,
  bundle: `${fhirBase}/StructureDefinition/questionnaire-bundle`,
} as const;

const questionnaires = `${fhirBase}/Questionnaire/`;

export function canonicalUrl(questionnaireId: string): string {
  return `${questionnaires}${questionnaireId}`;
}

/** Null for a questionnaire of somebody else's. */
export function idOfUrl(url: unknown): string | null {
  return typeof url === 'string' && url.startsWith(questionnaires) ? url.slice(questionnaires.length) : null;
}

/** FHIR's own ids know no underscore. */
export function fhirId(id: string): { readonly id?: string } {
  return /^[A-Za-z0-9.-]{1,64}$/.test(id) ? { id } : {};
}

export type Extension = {
  readonly url: string;
  readonly valueString?: string;
  readonly valueCode?: string;
  readonly valueInteger?: number;
  readonly valueDecimal?: number;
  readonly extension?: readonly Extension[];
};

/** A text in the default language, and beside it the others, as FHIR's extension of translations has them. */
export function texted<N extends string>(name: N, texts: Texts | undefined, defaultLocale: string) {
  if (!texts) return {};
  const extension = Object.entries(texts)
    .filter(([locale]) => locale !== defaultLocale)
    .map(([locale, content]) => ({
      url: urls.translation,
      extension: [
        { url: 'lang', valueCode: locale },
        { url: 'content', valueString: content },
      ],
    }));
  return { [name]: texts[defaultLocale], ...(extension.length > 0 && { [`_${name}`]: { extension } }) };
}

/** FHIR's times have seconds. */
export function fhirTime(time: string): string {
  return `${time}:00`;
}

/** A list in the order in which it is read, as the tree that the groups make. */
export function nested<Node>(items: readonly Item[], nodeOf: (item: Item, inner: Node[]) => Node | null): Node[] {
  const below = (groupId: string | undefined): Node[] =>
    items
      .filter((item) => item.groupId === groupId)
      .flatMap((item) => {
        const node = nodeOf(item, item.type === 'group' ? below(item.linkId) : []);
        return node === null ? [] : [node];
      });
  return below(undefined);
}
