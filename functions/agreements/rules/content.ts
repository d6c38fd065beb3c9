/** The text of a version as an object: where it lies follows from what it is, so that another text is another object. Pure. */

/** Bytes of a text (docs/conventions.md). */
export const maxBytes = 10 * 1024 * 1024;

export function contentKey(versionId: string, locale: string, contentHash: string): string {
  return `versions/${versionId}/${locale}/${contentHash}`;
}

/** A SHA-256 as S3 writes it. */
export function checksumOf(contentHash: string): string {
  return Buffer.from(contentHash, 'hex').toString('base64');
}
