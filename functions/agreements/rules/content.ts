/** The text of a version as an object. The key contains the hash, so a different text is a different object. Pure. */

/** Bytes of a text (docs/conventions.md). */
export const maxBytes = 10 * 1024 * 1024;

export function contentKey(versionId: string, locale: string, contentHash: string): string {
  return `versions/${versionId}/${locale}/${contentHash}`;
}

/** A SHA-256 in the form that S3 uses. */
export function checksumOf(contentHash: string): string {
  return Buffer.from(contentHash, 'hex').toString('base64');
}
