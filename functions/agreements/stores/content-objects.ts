import { createHash } from 'node:crypto';
import { GetObjectCommand, PutObjectLegalHoldCommand, type S3Client } from '@aws-sdk/client-s3';
import type { StoredContent, Version } from '../rules/catalogue.ts';
import { contentKey, maxBytes } from '../rules/content.ts';
import { type TextFault, textFault } from '../rules/text-check.ts';

/** The texts of versions in the bucket `AgreementContents`. */

type ContentBucket = { readonly s3: S3Client; readonly bucket: string };

type Fault = { readonly problem: 'missing' | 'unscanned' | 'mismatch' | 'tooLarge' } | TextFault;

type Problem = { locale: string } & Fault;

export type Verified = { contents: Record<string, StoredContent>; problems: Problem[] };

/** The number of texts that are read at once. Each is in memory whole until it was looked at. */
const atATime = 4;

/**
 * Reads the newest upload of each text of a version, compares it with the hash that the version declares, and looks at what is in
 * it. S3 already compared them at the upload. They are compared again because the texts are evidence.
 *
 * @returns `contents` has the object versions that were read; if `problems` is empty, it has every locale
 */
export async function verifyContents(deps: ContentBucket, { versionId, locales }: Version): Promise<Verified> {
  const verified: Verified = { contents: {}, problems: [] };
  const waiting = Object.entries(locales);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [locale, { contentHash }] = next;
      const found = await readText(deps, contentKey(versionId, locale, contentHash), contentHash);
      if ('problem' in found) verified.problems.push({ locale, ...found });
      else verified.contents[locale] = found;
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  verified.problems.sort((a, b) => (a.locale < b.locale ? -1 : 1));
  return verified;
}

async function readText(
  { s3, bucket }: ContentBucket,
  key: string,
  contentHash: string,
): Promise<StoredContent | Fault> {
  const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key })).catch((error: unknown): Fault => {
    if (error instanceof Error && error.name === 'NoSuchKey') return { problem: 'missing' };
    if (isRefusedByBucket(error)) return { problem: 'unscanned' };
    throw error;
  });
  if ('problem' in found) return found;
  const { Body, ContentLength = 0, ContentType = '', VersionId } = found;
  if (!Body || !VersionId) return { problem: 'missing' };
  const text = Body as AsyncIterable<Uint8Array> & { destroy: () => void };
  if (ContentLength > maxBytes) {
    text.destroy();
    return { problem: 'tooLarge' };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of text) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (createHash('sha256').update(bytes).digest('hex') !== contentHash) return { problem: 'mismatch' };
  const fault = textFault(bytes, ContentType);
  if (fault) return fault;
  return { key, objectVersionId: VersionId, contentType: ContentType };
}

/**
 * Where files are scanned, the bucket's policy refuses an object that is not found clean, or not there. A permission that the function
 * lacks has another message, and stays an error.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshoot-403-errors.html
 */
function isRefusedByBucket(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'AccessDenied' &&
    error.message.includes('explicit deny in a resource-based policy')
  );
}

/** From then on nobody can delete these texts, with any permission, until somebody lifts the hold. */
export async function holdContents({ s3, bucket }: ContentBucket, contents: Verified['contents']): Promise<void> {
  const holds = Object.values(contents).map(({ key, objectVersionId }) =>
    s3.send(
      new PutObjectLegalHoldCommand({
        Bucket: bucket,
        Key: key,
        VersionId: objectVersionId,
        LegalHold: { Status: 'ON' },
      }),
    ),
  );
  await Promise.all(holds);
}
