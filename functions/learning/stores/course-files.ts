import { HeadObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { checksumOf } from '../../agreements/rules.ts';
import type { StoredFile } from '../rules/course.ts';

/** The bucket `CourseFiles`: each file under its SHA-256 and ending, so that the same file is there once. */

type FilesBucket = { readonly s3: S3Client; readonly bucket: string };

type File = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly extension: string;
  readonly sha256: string;
};

/** Puts a file under a hold, or finds it there: what broke off is gone on with. */
export async function keepFile(deps: FilesBucket, file: File): Promise<StoredFile> {
  const { bytes, contentType, extension, sha256 } = file;
  const key = `files/${sha256}${extension}`;
  const objectVersionId = (await versionOf(deps, key, file)) ?? (await put(deps, key, file));
  return { key, objectVersionId, contentType, sizeBytes: bytes.length, sha256 };
}

async function versionOf(
  { s3, bucket }: FilesBucket,
  key: string,
  { contentType, sha256 }: File,
): Promise<string | null> {
  try {
    const found = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' }));
    const isSame = found.ChecksumSHA256 === checksumOf(sha256) && found.ContentType === contentType;
    // What somebody else put without a hold could go: it is put again.
    return isSame && found.ObjectLockLegalHoldStatus === 'ON' ? (found.VersionId ?? null) : null;
  } catch (error) {
    // 403: where files are scanned, the bucket refuses to tell of one that is not clean, or not there. Whoever may not put one either
    // fails at that.
    if (error instanceof S3ServiceException && [403, 404].includes(error.$metadata.httpStatusCode ?? 0)) return null;
    throw error;
  }
}

async function put({ s3, bucket }: FilesBucket, Key: string, { bytes, contentType, sha256 }: File): Promise<string> {
  const { VersionId } = await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key,
      Body: bytes,
      ContentType: contentType,
      ChecksumSHA256: checksumOf(sha256),
      ObjectLockLegalHoldStatus: 'ON',
    }),
  );
  if (!VersionId) throw new Error(`${bucket}: keeps no versions`);
  return VersionId;
}
