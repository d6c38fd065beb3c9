import { createHash, randomBytes } from 'node:crypto';
import { verifiedChecksums } from './checksums.ts';
import { malformedXml, notHere, S3Failure, tooSmall } from './failures.ts';
import { answerOf, storedHeadersOf } from './objects.ts';
import type { Context, Operation, S3Call } from './operation.ts';
import { plain, type Upload } from './versions.ts';

/**
 * Objects that are put in parts: https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 * Parts are in memory until the upload is completed, so a restart aborts an upload.
 */

const leastPart = 5 * 1024 * 1024;

export const multipart: Readonly<Record<string, Operation>> = {
  async CreateMultipartUpload({ bucket }, { key, headers }) {
    if (bucket.model.lock) throw notHere('an upload in parts to a bucket with object lock');
    const uploadId = randomBytes(48).toString('base64url');
    bucket.uploads.set(uploadId, { key, headers: storedHeadersOf(headers), parts: new Map() });
    const InitiateMultipartUploadResult = { Bucket: bucket.model.name, Key: key, UploadId: uploadId };
    return { status: 200, body: { InitiateMultipartUploadResult } };
  },

  async UploadPart(context, call) {
    const { headers, body } = call;
    const number = Number(call.query.partNumber);
    if (!(Number.isInteger(number) && number >= 1 && number <= 10_000)) {
      throw new S3Failure(400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
    }
    const checksums = verifiedChecksums(headers, body);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    uploadIn(context, call).parts.set(number, { body, etag });
    const stated = Object.entries(checksums).map(([algorithm, value]) => [`x-amz-checksum-${algorithm}`, value]);
    return { status: 200, headers: { etag, ...Object.fromEntries(stated) } };
  },

  async CompleteMultipartUpload(context, call) {
    const { store, bucket } = context;
    const { key } = call;
    const upload = uploadIn(context, call);
    const parts = namedIn(call.body.toString('utf8')).map(({ number, etag }, index, all) => {
      const found = upload.parts.get(number);
      if (!found || unquoted(found.etag) !== unquoted(etag)) throw invalidPart();
      if (number <= (all[index - 1]?.number ?? 0)) throw invalidOrder();
      if (index < all.length - 1 && found.body.length < leastPart) throw tooSmall(found.body.length, leastPart);
      return found.body;
    });
    const headers = { 'content-type': 'binary/octet-stream', ...upload.headers };
    const version = await store.add(bucket, { ...plain, key, headers }, Buffer.concat(parts));
    bucket.uploads.delete(call.query.uploadId ?? '');
    const CompleteMultipartUploadResult = { Bucket: bucket.model.name, Key: key, ETag: version.etag };
    return { status: 200, headers: answerOf(version), body: { CompleteMultipartUploadResult } };
  },

  async AbortMultipartUpload(context, call) {
    uploadIn(context, call);
    context.bucket.uploads.delete(call.query.uploadId ?? '');
    return { status: 204 };
  },
};

function uploadIn({ bucket }: Context, { key, query }: S3Call): Upload {
  const upload = bucket.uploads.get(query.uploadId ?? '');
  if (upload?.key === key) return upload;
  const message =
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.';
  throw new S3Failure(404, 'NoSuchUpload', message);
}

function namedIn(xml: string): { number: number; etag: string }[] {
  const parts = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>\s*(\d+)\s*<\/PartNumber>/.exec(part)?.[1]),
    etag: /<ETag>(.*?)<\/ETag>/s.exec(part)?.[1] ?? '',
  }));
  if (parts.length === 0 || parts.some(({ number }) => Number.isNaN(number))) throw malformedXml();
  return parts;
}

function unquoted(etag: string): string {
  return etag.replaceAll(/&quot;|&#34;|"/g, '').trim();
}

function invalidPart(): S3Failure {
  return new S3Failure(
    400,
    'InvalidPart',
    "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  );
}

function invalidOrder(): S3Failure {
  return new S3Failure(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
}
