import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  NoSuchUpload,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { pageName, type ResearchExport } from '../rules/export.ts';

/** The bucket `ResearchExportFiles`: pages while an export is made, and its files. */

export type Files = { readonly s3: S3Client; readonly bucket: string };

type Named = Pick<ResearchExport, 'studyId' | 'exportId'>;

export function prefixOf({ studyId, exportId }: Named): string {
  return `${studyId}/${exportId}/`;
}

/** The prefix of the objects that exist only while the export is made. */
export function draftsOf(named: Named): string {
  return `${prefixOf(named)}draft/`;
}

/**
 * The key contains the page and the revision of the export. So if another invocation was faster, a late invocation writes to a
 * key that nobody reads.
 */
export function pageKey(named: Named, page: number, putAt: number): string {
  return `${draftsOf(named)}${pageName(page)}-${putAt}.ndjson`;
}

/** The rows of one participant for one file. They are a separate object, so files can have another order than the pages. */
export function rowsKey(named: Named, { pseudonym, putAt }: { pseudonym: string; putAt: number }, file: string) {
  return `${draftsOf(named)}rows/${pseudonym}-${putAt}/${file}.ndjson`;
}

export function decisionKey(named: Named, putAt: number): string {
  return `${draftsOf(named)}decision-${putAt}.json`;
}

const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.jws': 'application/jose',
  '.ndjson': 'application/x-ndjson',
};

function typeOf(name: string): string {
  return types[extname(name)] ?? 'text/plain; charset=utf-8';
}

export function fileKey(named: Named, name: string): string {
  return `${prefixOf(named)}${name}`;
}

export async function putText({ s3, bucket }: Files, Key: string, Body: string): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: 'text/plain; charset=utf-8' }));
}

export async function readText({ s3, bucket }: Files, Key: string): Promise<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  if (!Body) throw new Error('an object without a body');
  return Body.transformToString();
}

export async function beginUpload({ s3, bucket }: Files, Key: string): Promise<string> {
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket: bucket, Key, ContentType: typeOf(Key) }),
  );
  if (UploadId === undefined) throw new Error('S3 gave no id of an upload');
  return UploadId;
}

type Upload = { readonly uploadId: string; readonly etags: readonly string[] };

/** Adds the next part. If it is sent again, it replaces itself. */
export async function addPart({ s3, bucket }: Files, Key: string, to: Upload, Body: Uint8Array): Promise<string> {
  const part = { Bucket: bucket, Key, UploadId: to.uploadId, PartNumber: to.etags.length + 1, Body };
  const { ETag } = await s3.send(new UploadPartCommand(part));
  if (ETag === undefined) throw new Error('S3 gave no ETag of a part');
  return ETag;
}

export async function completeUpload({ s3, bucket }: Files, Key: string, { uploadId, etags }: Upload): Promise<void> {
  const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
  const upload = { Bucket: bucket, Key, UploadId: uploadId, MultipartUpload: { Parts } };
  await s3.send(new CompleteMultipartUploadCommand(upload));
}

/** The upload was completed, or S3 ended it after a day. */
export function isUploadGone(error: unknown): boolean {
  return error instanceof NoSuchUpload || (error instanceof Error && error.name === 'NoSuchUpload');
}

export async function putFile({ s3, bucket }: Files, Key: string, Body: Uint8Array): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: typeOf(Key) }));
}

/** The size and SHA-256 of the stored file, which is read in chunks. */
export async function digestOf({ s3, bucket }: Files, Key: string): Promise<{ bytes: number; sha256: string }> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  if (!Body) throw new Error('a file without a body');
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of Body as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** @param name the name of the file, also in a browser's download folder */
export async function signDownload(
  { s3, bucket }: Files,
  named: Named,
  { name, seconds }: { name: string; seconds: number },
): Promise<string> {
  const file = new GetObjectCommand({
    Bucket: bucket,
    Key: fileKey(named, name),
    ResponseContentType: typeOf(name),
    ResponseContentDisposition: `attachment; filename="${name}"`,
    ResponseCacheControl: 'no-store',
  });
  return getSignedUrl(s3, file, { expiresIn: seconds });
}
