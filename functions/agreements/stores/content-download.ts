import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { StoredContent } from '../rules/catalogue.ts';

/** Seconds that a reader has to begin the download. */
const readSeconds = 300;

/** A link to exactly this object version. It needs no headers. */
export async function signReading(
  { s3, bucket }: { readonly s3: S3Client; readonly bucket: string },
  { key, objectVersionId, contentType }: StoredContent,
  { versionId, locale }: { readonly versionId: string; readonly locale: string },
): Promise<{ url: string; expiresAt: string }> {
  const expiresAt = new Date(Date.now() + readSeconds * 1000).toISOString();
  const text = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    VersionId: objectVersionId,
    // The browser saves the text and does not show it, so nothing of it can run under the bucket's origin.
    ResponseContentDisposition: `attachment; filename="${versionId}.${locale}${endingOf(contentType)}"`,
  });
  return { url: await getSignedUrl(s3, text, { expiresIn: readSeconds }), expiresAt };
}

const endings: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'application/pdf': '.pdf',
};

function endingOf(contentType: string): string {
  return endings[contentType.split(';')[0] ?? ''] ?? '';
}
