import Negotiator from 'negotiator';

const own = 'application/json';

/**
 * Whether the caller prefers another form to our JSON (RFC 9110 section 12.5.1). A caller who accepts neither form gets our
 * JSON, as that section allows; so does a caller who accepts both equally.
 *
 * @param header `Accept` as it was sent
 */
export function prefers(header: string | undefined, mediaType: string): boolean {
  // FHIR's version parameter does not make another type: https://hl7.org/fhir/R4/versioning.html#mt-version
  const accept = header?.replace(/;\s*fhirVersion\s*=[^;,]*/gi, '');
  return new Negotiator({ headers: { accept } }).mediaTypes([own, mediaType])[0] === mediaType;
}
