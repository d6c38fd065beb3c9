import type { Item, Texts } from './definition.ts';

/** Parts that several FHIR R4 resources use here: https://hl7.org/fhir/R4/questionnaire.html */

export const fhirType = 'application/fhir+json';

/** The beginning of names. There is no page at this address. */
export const fhirBase = 'https://mobile-health.example/fhir';

export const urls = {
  translation: 'http://hl7.org/fhir/StructureDefinition/translation',
  ordinalValue: 'http://hl7.org/fhir/StructureDefinition/ordinalValue',
  minValue: 'http://hl7.org/fhir/StructureDefinition/minValue',
  maxValue: 'http://hl7.org/fhir/StructureDefinition/maxValue',
  /** Our own extension: scores and flags as JSON, because FHIR has no element for them. */
  scoring: `${fhirBase}/StructureDefinition/questionnaire-scoring`,
  results: `${fhirBase}/StructureDefinition/questionnaire-results`,
  bundle: `${fhirBase}/StructureDefinition/questionnaire-bundle`,
} as const;

const questionnaires = `${fhirBase}/Questionnaire/`;

export function canonicalUrl(questionnaireId: string): string {
  return `${questionnaires}${questionnaireId}`;
}

/** Null for a questionnaire of another system. */
export function idOfUrl(url: unknown): string | null {
  return typeof url === 'string' && url.startsWith(questionnaires) ? url.slice(questionnaires.length) : null;
}

/** FHIR's own ids cannot contain an underscore. */
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

/** A text in the default language, with the other languages in FHIR's extension for translations. */
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

/** Converts a list in reading order to the tree of its groups. */
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
