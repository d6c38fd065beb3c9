import { createHash } from 'node:crypto';
import { GetObjectCommand, PutObjectLegalHoldCommand, type S3Client } from '@aws-sdk/client-s3';
import type { StoredContent, Version } from '../rules/catalogue.ts';
import { contentKey, maxBytes } from '../rules/content.ts';

/** The texts of versions in the bucket `AgreementContents`. */

type Place = { readonly s3: S3Client; readonly bucket: string };

export type Problem = { locale: string; problem: 'missing' | 'mismatch' | 'tooLarge' };

export type Verified = { contents: Record<string, StoredContent>; problems: Problem[] };

/** The number of texts that are read at once. Each is a stream, so it needs little memory. */
const atATime = 8;

/**
 * Reads the newest upload of each text of a version, and compares it with the hash that the version declares. S3 already compared
 * them at the upload. They are compared again because the texts are evidence.
 *
 * @returns `contents` has the object versions that were read; if `problems` is empty, it has every locale
 */
export async function verifyContents(place: Place, { versionId, locales }: Version): Promise<Verified> {
  const verified: Verified = { contents: {}, problems: [] };
  const waiting = Object.entries(locales);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [locale, { contentHash }] = next;
      const found = await readText(place, contentKey(versionId, locale, contentHash), contentHash);
      if (typeof found === 'string') verified.problems.push({ locale, problem: found });
      else verified.contents[locale] = found;
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  verified.problems.sort((a, b) => (a.locale < b.locale ? -1 : 1));
  return verified;
}

async function readText(
  { s3, bucket }: Place,
  key: string,
  contentHash: string,
): Promise<StoredContent | Problem['problem']> {
  const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key })).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'NoSuchKey') return null;
    throw error;
  });
  const { Body, ContentLength = 0, ContentType = '', VersionId } = found ?? {};
  if (!Body || !VersionId) return 'missing';
  const text = Body as AsyncIterable<Uint8Array> & { destroy: () => void };
  if (ContentLength > maxBytes) {
    text.destroy();
    return 'tooLarge';
  }
  const hash = createHash('sha256');
  for await (const chunk of text) hash.update(chunk);
  if (hash.digest('hex') !== contentHash) return 'mismatch';
  return { key, objectVersionId: VersionId, contentType: ContentType };
}

/** From then on nobody can delete these texts, with any permission, until somebody lifts the hold. */
export async function holdContents({ s3, bucket }: Place, contents: Verified['contents']): Promise<void> {
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
