import type { S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { checksumOf, contentKey, maxBytes } from '../rules/content.ts';

/** An administrator must begin the upload within this many seconds. */
const uploadSeconds = 600;

export type Upload = { url: string; fields: Record<string, string>; expiresAt: string; maxBytes: number };

/**
 * A form that can upload only this text. Its policy has conditions for key, type, checksum and size, which S3 checks.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export async function signUpload(
  { s3, bucket }: { readonly s3: S3Client; readonly bucket: string },
  text: { versionId: string; locale: string; contentHash: string; contentType: string },
): Promise<Upload> {
  const { versionId, locale, contentHash, contentType } = text;
  const expiresAt = new Date(Date.now() + uploadSeconds * 1000).toISOString();
  const { url, fields } = await createPresignedPost(s3, {
    Bucket: bucket,
    Key: contentKey(versionId, locale, contentHash),
    Conditions: [['content-length-range', 1, maxBytes]],
    Fields: { 'Content-Type': contentType, 'x-amz-checksum-sha256': checksumOf(contentHash) },
    Expires: uploadSeconds,
  });
  return { url, fields, expiresAt, maxBytes };
}
