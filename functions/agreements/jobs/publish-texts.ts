import { HeadObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { StoredContent, Version } from '../rules/catalogue.ts';
import { checksumOf, contentKey } from '../rules/content.ts';
import { holdContents } from '../stores/content-objects.ts';

/** Puts the texts of a version into the bucket, where nobody can delete them. */

/** By SHA-256, in lower-case hexadecimal. */
export type Texts = Map<
  string,
  {
    readonly text: Uint8Array;
    readonly contentType: string;
    /** Why it cannot be published. What is published already, by older rules, stays. */
    readonly fault: string | null;
  }
>;

type ContentBucket = { readonly s3: S3Client; readonly bucket: string };

/** @returns where the texts are stored, by locale @throws an Error if a text is missing, or may not be published */
export async function publishTexts(
  deps: ContentBucket,
  { versionId, locales }: Version,
  texts: Texts,
): Promise<Record<string, StoredContent>> {
  const stored = Object.entries(locales).map(async ([locale, { contentHash }]) => {
    const found = texts.get(contentHash);
    if (!found) throw new Error(`${versionId}: the text in ${locale} is not there`);
    if (found.fault !== null) throw new Error(found.fault);
    const key = contentKey(versionId, locale, contentHash);
    const { contentType } = found;
    const there = await versionOf(deps, key, contentHash, contentType);
    if (there) await holdContents(deps, { [locale]: { key, objectVersionId: there, contentType } });
    const objectVersionId = there ?? (await put(deps, key, contentHash, found));
    return [locale, { key, objectVersionId, contentType }] as const;
  });
  return Object.fromEntries(await Promise.all(stored));
}

/** The newest object under this key, if it is this text: an interrupted publication may have left it. */
async function versionOf(
  { s3, bucket }: ContentBucket,
  key: string,
  contentHash: string,
  contentType: string,
): Promise<string | null> {
  try {
    const found = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' }));
    const isSame = found.ChecksumSHA256 === checksumOf(contentHash) && found.ContentType === contentType;
    return isSame ? (found.VersionId ?? null) : null;
  } catch (error) {
    // 403: where files are scanned, the bucket refuses to tell of one that is not clean, or not there. Whoever may not put one either
    // fails at that.
    if (error instanceof S3ServiceException && [403, 404].includes(error.$metadata.httpStatusCode ?? 0)) return null;
    throw error;
  }
}

async function put(
  { s3, bucket }: ContentBucket,
  key: string,
  contentHash: string,
  { text, contentType }: { text: Uint8Array; contentType: string },
): Promise<string> {
  const { VersionId } = await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: text,
      ContentType: contentType,
      ChecksumSHA256: checksumOf(contentHash),
      ObjectLockLegalHoldStatus: 'ON',
    }),
  );
  if (!VersionId) throw new Error(`${bucket}: keeps no versions`);
  return VersionId;
}
