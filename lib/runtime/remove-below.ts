import { DeleteObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { mapWithConcurrency } from './map-with-concurrency.ts';

/**
 * Deletes the objects whose keys begin with a prefix. It can be repeated; an object that is put meanwhile may stay.
 *
 * @param atOnce requests at a time
 */
export async function removeBelow(
  { s3, bucket }: { readonly s3: S3Client; readonly bucket: string },
  prefix: string,
  atOnce = 8,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(after !== undefined && { StartAfter: after }) }),
    );
    const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    await mapWithConcurrency(keys, atOnce, (Key) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })));
    after = page.IsTruncated ? keys.at(-1) : undefined;
  } while (after !== undefined);
}
