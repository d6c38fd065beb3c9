import { loadTool } from '../../bin/tools.ts';

/** Checks a resource in the form in which it is sent, and the resources of a Bundle. @throws what the definitions have against it */
export type Validate = (resource: object) => void;

/** What the module of the definitions exports. */
export type Official = { readonly validatorOf: (types: readonly string[]) => Validate };

/** Reads HL7's own definitions of these types of FHIR R4: slow, because all definitions are 35 MB. */
export async function officialValidator(...types: string[]): Promise<Validate> {
  const { validatorOf } = await loadTool<Official>(new URL('../tools/fhir/official.ts', import.meta.url));
  return validatorOf([...types, 'Resource', 'DomainResource']);
}
