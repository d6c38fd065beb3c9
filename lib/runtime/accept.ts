import Negotiator from 'negotiator';

const own = 'application/json';

/**
 * Whether the caller prefers another form to our JSON (RFC 9110 section 12.5.1). A caller who accepts neither form gets our
 * JSON, as that section allows; so does a caller who accepts both equally.
 *
 * @param header `Accept` as it was sent
 */
export function prefers(header: string | undefined, mediaType: string): boolean {
  // A parameter, such as the version of FHIR, does not make another type here.
  const accept = header?.replace(/;(?!\s*q\s*=)(?:"(?:[^"\\]|\\.)*"|[^;,"])*/gi, '');
  return new Negotiator({ headers: { accept } }).mediaTypes([own, mediaType])[0] === mediaType;
}
