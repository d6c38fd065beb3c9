import Negotiator from 'negotiator';

const own = 'application/json';

/**
 * Whether the caller prefers another form to JSON of ours (RFC 9110 section 12.5.1), which is for whoever asks for neither, as
 * that section lets a server do, and for who takes both alike.
 *
 * @param header `Accept` as it came
 */
export function prefers(header: string | undefined, mediaType: string): boolean {
  // FHIR's parameter of its version makes no other type: https://hl7.org/fhir/R4/versioning.html#mt-version
  const accept = header?.replace(/;\s*fhirVersion\s*=[^;,]*/gi, '');
  return new Negotiator({ headers: { accept } }).mediaTypes([own, mediaType])[0] === mediaType;
}
