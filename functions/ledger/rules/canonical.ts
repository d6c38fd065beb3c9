import canonicalize from 'canonicalize';

/** The canonical JSON (RFC 8785) of a row or of data that is signed. */
export function canonicalText(value: object): string {
  return canonicalize(value) as string;
}
