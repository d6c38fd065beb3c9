import { fhirBase, nameBasedId } from '../../questionnaires/rules.ts';

/** What the resources of FHIR R4 have in common here: https://hl7.org/fhir/R4/resource.html */

/** In the order in which a Bundle has them. */
const resourceTypes = ['Patient', 'Consent', 'Provenance', 'QuestionnaireResponse', 'Observation'] as const;

export type ResourceType = (typeof resourceTypes)[number];

export function isResourceType(text: string): text is ResourceType {
  return resourceTypes.some((type) => type === text);
}

export type Resource = { readonly resourceType: ResourceType; readonly id: string } & Readonly<Record<string, unknown>>;

/** Namespaces of our own ids, for `identifier`. */
export const idSystems = {
  user: `${fhirBase}/sid/user`,
  consentRecord: `${fhirBase}/sid/consent-record`,
  consentRecordHash: `${fhirBase}/sid/consent-record-hash`,
  response: `${fhirBase}/sid/questionnaire-response`,
  diary: `${fhirBase}/sid/sleep-diary-date`,
  episode: `${fhirBase}/sid/sleep-episode`,
} as const;

/**
 * Stable, and different for each person: phones make ids such as `first`, and two patients can have a night of the same date.
 *
 * @param own the last part may be any text
 */
export function resourceId(type: ResourceType, userId: string, ...own: readonly string[]): string {
  return nameBasedId('fhir', type, userId, ...own);
}

export function referenceTo(type: ResourceType, id: string) {
  return { reference: `${type}/${id}` };
}

/** The address by which a reference within a Bundle finds its resource; it leads nowhere. */
export function fullUrlOf({ resourceType, id }: Resource): string {
  return `${fhirBase}/${resourceType}/${id}`;
}

export function concept(system: string, code: string, display: string) {
  return { coding: [{ system, code, display }] };
}
