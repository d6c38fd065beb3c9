import canonicalize from 'canonicalize';

/** The canonical JSON (RFC 8785) of what came from a table or goes under a signature. */
export function canonicalText(value: object): string {
  return canonicalize(value) as string;
}
