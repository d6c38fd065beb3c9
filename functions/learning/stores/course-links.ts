import { extname } from 'node:path';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ByLocale, StoredFile } from '../rules/course.ts';

/** Addresses of files of courses: of the very object version that was published. */

const linkSeconds = 900;

export type Files = { readonly s3: S3Client; readonly bucket: string };

/**
 * A signature is computed, and asks nobody.
 *
 * @param name of the file that a browser saves: ids that were checked
 */
export async function linkTo(
  { s3, bucket }: Files,
  files: ByLocale<StoredFile> | null,
  locale: string,
  name: string,
): Promise<(Omit<StoredFile, 'key' | 'objectVersionId'> & { url: string; expiresAt: string }) | null> {
  const file = files?.[locale];
  if (!file) return null;
  const { key, objectVersionId, contentType, sizeBytes, sha256 } = file;
  // Real time, as S3's.
  const expiresAt = new Date(Date.now() + linkSeconds * 1000).toISOString();
  const object = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    VersionId: objectVersionId,
    // A player ignores it; a browser saves the file, and shows it nowhere as the bucket's.
    ResponseContentDisposition: `attachment; filename="${name}.${locale}${extname(key)}"`,
  });
  const url = await getSignedUrl(s3, object, { expiresIn: linkSeconds });
  return { url, expiresAt, contentType, sizeBytes, sha256 };
}
