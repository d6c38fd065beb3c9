import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** The bucket `PersonalExportFiles`: parts while an export is made, and its ZIP. */

export type Files = { readonly s3: S3Client; readonly bucket: string };

type Owner = { readonly userId: string };
type Named = Owner & { readonly exportId: string };

export function prefixOf({ userId, exportId }: Named): string {
  // A message with another path in an id would remove the objects of another export.
  if ([userId, exportId].some((id) => id.includes('/'))) throw new Error('this names no export');
  return `${userId}/${exportId}/`;
}

export function prefixOfPerson({ userId }: Owner): string {
  return `${userId}/`;
}

export function partsOf(named: Named): string {
  return `${prefixOf(named)}parts/`;
}

export function zipKey(named: Named): string {
  return `${prefixOf(named)}export.zip`;
}

function partKey(named: Named, file: string, number: number): string {
  return `${partsOf(named)}${file}/${number}`;
}

/** Written again it is the same place: what an invocation put that was killed before it could say so. */
export async function putPart(
  { s3, bucket }: Files,
  named: Named,
  { file, number, text }: { file: string; number: number; text: string },
): Promise<void> {
  const Key = partKey(named, file, number);
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: text, ContentType: 'text/plain; charset=utf-8' }));
}

/** One at a time: no more than a part is in memory. */
export async function* readParts(
  { s3, bucket }: Files,
  named: Named,
  file: string,
  count: number,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: partKey(named, file, number) }));
    if (!Body) throw new Error('a part without a body');
    yield await Body.transformToByteArray();
  }
}

/** @param name of the file that a browser saves */
export async function signDownload(
  { s3, bucket }: Files,
  named: Named,
  { name, seconds }: { name: string; seconds: number },
): Promise<string> {
  const zip = new GetObjectCommand({
    Bucket: bucket,
    Key: zipKey(named),
    ResponseContentType: 'application/zip',
    ResponseContentDisposition: `attachment; filename="${name}"`,
    ResponseCacheControl: 'no-store',
  });
  return getSignedUrl(s3, zip, { expiresIn: seconds });
}
