import { createHash } from 'node:crypto';

/**
 * An id that is computed from what it names, so the same thing always gets the same id: a UUID of version 8
 * (https://www.rfc-editor.org/rfc/rfc9562#section-5.8).
 */
export function nameBasedId(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('#')).digest('hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
