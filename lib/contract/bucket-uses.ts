import type { Bucket } from './buckets.ts';

/** A route's or consumer's use of a bucket: entries of its `uses`. */

export type BucketUse<B extends Bucket = Bucket> =
  | { readonly bucket: B; readonly access: BucketAccess }
  /** Only for objects below a prefix, since a bucket holds the evidence of several domains. */
  | { readonly bucket: B; readonly access: PrefixAccess; readonly prefix: Prefix };

export type BucketAccess = 'read' | 'upload' | 'hold' | 'keep' | 'clear';
export type PrefixAccess = 'log' | 'append' | 'list';
type Prefix = `${string}/`;

/** Reads objects. */
export function readFrom<B extends Bucket>(bucket: B): BucketUse<B> {
  return { bucket, access: 'read' };
}

/** Signs POST requests with which others put objects. */
export function uploadTo<B extends Bucket & { readonly isUploadedTo: true }>(bucket: B): BucketUse<B> {
  return { bucket, access: 'upload' };
}

/** Reads objects and puts them under a legal hold. */
export function holdIn<B extends Bucket & { readonly lock: 'legal-hold' }>(bucket: B): BucketUse<B> {
  return { bucket, access: 'hold' };
}

type Passing = Bucket & { readonly expiresAfterDays: number };

/** Lists, reads, puts and deletes objects, also in several parts. */
export function keepIn<B extends Passing>(bucket: B): BucketUse<B> {
  return { bucket, access: 'keep' };
}

/** Lists and deletes objects. */
export function clear<B extends Passing>(bucket: B): BucketUse<B> {
  return { bucket, access: 'clear' };
}

type Retaining = Bucket & { readonly lock: 'retention' };

/** Puts objects where there are none, and reads nothing. */
export function logTo<B extends Retaining>(bucket: B, prefix: Prefix): BucketUse<B> {
  return { bucket, access: 'log', prefix };
}

/** Reads and lists all versions, and puts none: for evidence that another function writes. */
export function readBelow<B extends Retaining>(bucket: B, prefix: Prefix): BucketUse<B> {
  return { bucket, access: 'list', prefix };
}

/** The permissions of `logTo`, and reads and lists all versions. */
export function appendTo<B extends Retaining>(bucket: B, prefix: Prefix): BucketUse<B> {
  return { bucket, access: 'append', prefix };
}
