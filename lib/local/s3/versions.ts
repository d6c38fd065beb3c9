import type { BucketModel, RetentionMode } from '../model.ts';

/** What a bucket holds: versions of objects and delete markers. */

export type Retention = { readonly mode: RetentionMode /** ISO 8601 */; readonly until: string };

export type Version = {
  readonly key: string;
  /** `null` in a bucket without versions. */
  readonly versionId: string;
  /** Counts up in the bucket. */
  readonly sequence: number;
  readonly isDeleteMarker: boolean;
  /** ISO 8601 */
  readonly lastModified: string;
  readonly size: number;
  /** With its quotation marks; empty for a delete marker. */
  readonly etag: string;
  /** The headers that are sent with it: `content-type`, `x-amz-meta-…`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Base64 by algorithm: `sha256`. */
  readonly checksums: Readonly<Record<string, string>>;
  readonly retention: Retention | null;
  /** Null if no hold was ever stated; S3 distinguishes this from a removed hold. */
  readonly isHeld: boolean | null;
};

export type Draft = Omit<Version, 'versionId' | 'sequence' | 'lastModified' | 'size' | 'etag'>;

/** An object that neither a lock nor a checksum came with. */
export const plain = { isDeleteMarker: false, checksums: {}, retention: null, isHeld: null };

export type Bucket = {
  model: BucketModel;
  /** By key, newest first; no key without a version. */
  readonly objects: Map<string, readonly Version[]>;
  sequence: number;
  /** The uploads in progress, by id. */
  readonly uploads: Map<string, Upload>;
};

export type Upload = {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, { readonly body: Buffer; readonly etag: string }>;
};

/** The newest version of a key, which can be a delete marker. */
export function latest({ objects }: Bucket, key: string): Version | undefined {
  return objects.get(key)?.[0];
}

export function insert({ objects }: Bucket, version: Version): void {
  const versions = [version, ...(objects.get(version.key) ?? [])];
  objects.set(
    version.key,
    versions.toSorted((a, b) => b.sequence - a.sequence),
  );
}

export function remove({ objects }: Bucket, { key, sequence }: Version): void {
  const rest = (objects.get(key) ?? []).filter((each) => each.sequence !== sequence);
  if (rest.length > 0) objects.set(key, rest);
  else objects.delete(key);
}
