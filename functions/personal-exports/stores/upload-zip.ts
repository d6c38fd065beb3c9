import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Files } from './export-objects.ts';

/** S3 takes no parts that are smaller, but for the last: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const partBytes = 6 * 1024 * 1024;

/**
 * Puts an object of unknown length, with only one part at a time in memory. The object exists completely or not at all.
 *
 * @returns its length
 */
export async function uploadZip(
  { s3, bucket }: Files,
  Key: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const place = { Bucket: bucket, Key };
  const ContentType = 'application/zip';
  let upload: { UploadId: string | undefined; ETags: (string | undefined)[] } | undefined;
  const begin = async () => {
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...place, ContentType }));
    return { UploadId, ETags: [] };
  };
  const add = async (Body: Uint8Array) => {
    upload ??= await begin();
    const { UploadId, ETags } = upload;
    const part = { ...place, UploadId, PartNumber: ETags.length + 1, Body };
    ETags.push((await s3.send(new UploadPartCommand(part))).ETag);
  };
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const taken = () => {
    const all = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    return all;
  };
  try {
    for await (const chunk of chunks) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      size += chunk.length;
      if (waitingBytes >= partBytes) await add(taken());
    }
    if (!upload) {
      await s3.send(new PutObjectCommand({ ...place, ContentType, Body: taken() }));
      return size;
    }
    if (waitingBytes > 0) await add(taken());
    const { UploadId, ETags } = upload;
    const Parts = ETags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    await s3.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
    return size;
  } catch (error) {
    // What this leaves, as a crash does, the bucket's life cycle ends after a day.
    if (upload) await s3.send(new AbortMultipartUploadCommand({ ...place, UploadId: upload.UploadId })).catch(() => {});
    throw error;
  }
}
