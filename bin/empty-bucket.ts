import {
  DeleteObjectsCommand,
  GetObjectRetentionCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  NoSuchBucket,
  type ObjectIdentifier,
  PutObjectLegalHoldCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { KeptObject } from './destroy-stage.ts';

type Version = { readonly Key: string; readonly VersionId: string };

/**
 * Deletes all versions of all objects, also under a legal hold or governance retention, which needs
 * `s3:BypassGovernanceRetention` and `s3:PutObjectLegalHold`. Nobody may delete objects under compliance retention. It resolves with these.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html
 */
export async function emptyBucket(
  bucket: string,
  client = new S3Client({ maxAttempts: 8, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } }),
): Promise<{ deleted: number; kept: KeptObject[] }> {
  const kept: KeptObject[] = [];
  let deleted = 0;
  try {
    for await (const { Versions = [], DeleteMarkers = [] } of versionsIn(client, bucket)) {
      const found = [...Versions, ...DeleteMarkers].flatMap(({ Key, VersionId }) =>
        Key === undefined || VersionId === undefined ? [] : [{ Key, VersionId }],
      );
      const refused = await deleteAll(client, bucket, found, false);
      for (const each of refused) await release(client, bucket, each);
      // Only a bucket with Object Lock refuses deletions. S3 answers 400 if the header is sent to any other bucket.
      const stayed = await deleteAll(client, bucket, refused, true);
      for (const each of stayed) kept.push({ key: each.Key, until: await retainedUntil(client, bucket, each) });
      deleted += found.length - stayed.length;
    }
  } catch (error) {
    if (!(error instanceof NoSuchBucket)) throw error;
  }
  return { deleted, kept };
}

/** The SDK has no paginator for versions. */
async function* versionsIn(client: S3Client, bucket: string): AsyncGenerator<ListObjectVersionsCommandOutput> {
  for (let at: Pick<ListObjectVersionsCommandOutput, 'NextKeyMarker' | 'NextVersionIdMarker'> | null = {}; at; ) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({
        Bucket: bucket,
        KeyMarker: at.NextKeyMarker,
        VersionIdMarker: at.NextVersionIdMarker,
      }),
    );
    yield page;
    at = page.IsTruncated ? page : null;
  }
}

/** @returns the versions that it may not delete */
async function deleteAll(
  client: S3Client,
  bucket: string,
  versions: readonly Version[],
  bypasses: boolean,
): Promise<Version[]> {
  if (versions.length === 0) return [];
  const { Errors = [] } = await client.send(
    new DeleteObjectsCommand({
      Bucket: bucket,
      ...(bypasses && { BypassGovernanceRetention: true }),
      Delete: { Objects: versions as ObjectIdentifier[], Quiet: true },
    }),
  );
  const refused = new Set(Errors.map(({ Key, VersionId }) => `${Key} ${VersionId}`));
  return versions.filter(({ Key, VersionId }) => refused.has(`${Key} ${VersionId}`));
}

async function release(client: S3Client, bucket: string, version: Version): Promise<void> {
  await client
    .send(new PutObjectLegalHoldCommand({ Bucket: bucket, ...version, LegalHold: { Status: 'OFF' } }))
    // A bucket without Object Lock has no holds. Then the second attempt shows the real reason.
    .catch(() => undefined);
}

async function retainedUntil(client: S3Client, bucket: string, version: Version): Promise<Date | null> {
  const { Retention } = await client
    .send(new GetObjectRetentionCommand({ Bucket: bucket, ...version }))
    .catch(() => ({ Retention: undefined }));
  return Retention?.RetainUntilDate ?? null;
}
