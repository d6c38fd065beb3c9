import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { contended, retryOnContention } from './retry-on-contention.ts';

/** A bucket under Object Lock: no object is ever overwritten, and newer versions and delete markers only hide the kept one. */
export type Objects = { readonly s3: S3Client; readonly bucket: string };

/**
 * @returns false where an object is already stored under this key; it stays
 * @throws a Failure `UNAVAILABLE` where others keep writing the same key
 */
export async function putOnce(
  { s3, bucket }: Objects,
  key: string,
  body: Buffer | string,
  ContentType?: string,
): Promise<boolean> {
  return retryOnContention(async () => {
    try {
      // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType, IfNoneMatch: '*' }));
      return true;
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      if (name === 'PreconditionFailed') return false;
      // Two uploads at once: S3 asks for a new upload, and its answer then shows which of them was stored.
      if (name !== 'ConditionalRequestConflict') throw error;
      return contended;
    }
  });
}

/** What we store is shorter, other than the leaves of a checkpoint. */
const mostBytes = 2_000_000;

type Reading = { readonly versionId?: string | undefined; readonly most?: number };

/**
 * A role that may put objects may put five gigabytes, which no function's memory holds, and nobody can remove them. So an
 * object that is longer than `most` is read as empty: like all others that are not ours, it says nothing.
 *
 * @returns null where there is none, or a delete marker hides it
 */
export async function readObject(
  { s3, bucket }: Objects,
  key: string,
  { versionId, most = mostBytes }: Reading = {},
): Promise<Buffer | null> {
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId });
    const { Body, ContentLength = 0 } = await s3.send(command);
    if (ContentLength <= most) return Body ? Buffer.from(await Body.transformToByteArray()) : null;
    // Otherwise the socket would wait for somebody who reads.
    if (Body && 'destroy' in Body) Body.destroy();
    return Buffer.alloc(0);
  } catch (error) {
    if (error instanceof NoSuchKey) return null;
    throw error;
  }
}

/** `storedAt` is S3's own date, which no caller can set. */
export type Version = { readonly id: string; readonly storedAt: Date };

/** All versions under one key, oldest first. */
export type Versions = { readonly key: string; readonly versions: Version[]; markers: number };

/** In the keys' order. @param after a key, of an object or not: the list begins behind it */
export async function* listVersions(objects: Objects, prefix: string, after?: string): AsyncGenerator<Versions> {
  let current: Versions = { key: '', versions: [], markers: 0 };
  for await (const { key, version } of listEntries(objects, prefix, after)) {
    if (current.key !== key) {
      if (current.key !== '') yield current;
      current = { key, versions: [], markers: 0 };
    }
    if (version === null) current.markers += 1;
    else current.versions.unshift(version);
  }
  if (current.key !== '') yield current;
}

type Entry = { readonly key: string; readonly version: Version | null };

/** Versions and delete markers, newest first under each key; the `version` of a marker is null. */
async function* listEntries({ s3, bucket }: Objects, prefix: string, after?: string): AsyncGenerator<Entry> {
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const from = page
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : { KeyMarker: after };
    page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, ...from }));
    const versions = (page.Versions ?? []).map(({ Key = '', VersionId: id = '', LastModified }) => ({
      key: Key,
      version: { id, storedAt: LastModified ?? new Date() },
    }));
    const markers = (page.DeleteMarkers ?? []).map(({ Key = '' }) => ({ key: Key, version: null }));
    // S3 returns two lists, each in the order of the keys.
    yield* [...versions, ...markers].toSorted((one, other) => compare(one.key, other.key));
  } while (page.IsTruncated);
}

/** @returns the version under the key that has the expected content, even if a newer one or a marker hides it; or null */
export async function findVersion(
  objects: Objects,
  key: string,
  accepts: (body: Buffer) => boolean,
  most?: number,
): Promise<Buffer | null> {
  const limit = most === undefined ? {} : { most };
  // A caller that may only list versions gets 403 for a missing object. The list shows whether the caller may read at all.
  const current = await readObject(objects, key, limit).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AccessDenied') return null;
    throw error;
  });
  if (current && accepts(current)) return current;
  for await (const { key: found, versions } of listVersions(objects, key)) {
    // S3 lists it before all objects whose names begin with its name. Somebody may have stored any number of these.
    if (found !== key) return null;
    for (const { id } of versions) {
      const body = await readObject(objects, key, { ...limit, versionId: id });
      if (body && accepts(body)) return body;
    }
    return null;
  }
  return null;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
