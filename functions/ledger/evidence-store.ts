import { gunzipSync, gzipSync } from 'node:zlib';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

/** The bucket `Evidence`. Nothing in it is ever written twice. */
export type Evidence = { readonly s3: S3Client; readonly bucket: string };

/** @returns false where something is there under this key already, which stays */
export async function putOnce({ s3, bucket }: Evidence, key: string, body: Buffer | string): Promise<boolean> {
  try {
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, IfNoneMatch: '*' }));
    return true;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412) return false;
    throw error;
  }
}

/** @returns null where there is none, or a delete marker hides it */
export async function readObject({ s3, bucket }: Evidence, key: string, versionId?: string): Promise<Buffer | null> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
    return Body ? Buffer.from(await Body.transformToByteArray()) : null;
  } catch (error) {
    if (error instanceof NoSuchKey) return null;
    throw error;
  }
}

/** Keys in their order. */
export async function* listKeys({ s3, bucket }: Evidence, prefix: string): AsyncGenerator<string> {
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }));
    for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** A file of leaves: a line each, compressed. */
export function packLeaves(leaves: readonly string[]): Buffer {
  return gzipSync(leaves.join('\n'));
}

/** @throws an Error for what is no gzip */
export function unpackLeaves(body: Buffer): string[] {
  const text = gunzipSync(body).toString('utf8');
  return text === '' ? [] : text.split('\n');
}
