import type { Xml } from '../xml.ts';
import { invalidArgument, notHere } from './failures.ts';
import type { Operation, S3Call } from './operation.ts';
import type { Bucket, Version } from './versions.ts';

/** Lists, in the order of the keys' UTF-8: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */

export const lists: Readonly<Record<string, Operation>> = {
  async HeadBucket() {
    return { status: 200 };
  },

  async ListObjectsV2({ bucket }, { query }) {
    const { prefix = '', delimiter, 'start-after': startAfter = '' } = query;
    const token = query['continuation-token'];
    const after = Buffer.from(token ?? '', 'base64url').toString('utf8');
    const encoded = encoder(query);
    const objects = keysOf(bucket, prefix).flatMap((key) => {
      const [current] = bucket.objects.get(key) ?? [];
      return current && !current.isDeleteMarker && isAfter(key, startAfter) ? [current] : [];
    });
    const entries = grouped(objects, prefix, delimiter).filter(({ name }) => isAfter(name, after));
    const most = maxKeys(query);
    const page = entries.slice(0, most);
    const isTruncated = most > 0 && entries.length > most;
    const last = page.at(-1)?.name ?? '';
    return {
      status: 200,
      body: {
        ListBucketResult: {
          Name: bucket.model.name,
          Prefix: encoded(prefix),
          ...(delimiter !== undefined && { Delimiter: encoded(delimiter) }),
          ...(startAfter !== '' && { StartAfter: encoded(startAfter) }),
          ...(token !== undefined && { ContinuationToken: token }),
          ...(isTruncated && { NextContinuationToken: Buffer.from(last).toString('base64url') }),
          ...(query['encoding-type'] && { EncodingType: 'url' }),
          KeyCount: String(page.length),
          MaxKeys: String(most),
          IsTruncated: String(isTruncated),
          Contents: page.flatMap(({ version }) => (version ? [contentOf(version, encoded)] : [])),
          CommonPrefixes: page.flatMap(({ name, version }) => (version ? [] : [{ Prefix: encoded(name) }])),
        },
      },
    };
  },

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
  async ListObjectVersions({ bucket }, { query }) {
    const { prefix = '', delimiter, 'key-marker': keyMarker = '', 'version-id-marker': versionMarker } = query;
    if (delimiter !== undefined) throw notHere('a delimiter of ListObjectVersions');
    const encoded = encoder(query);
    const all = keysOf(bucket, prefix).flatMap((key) => bucket.objects.get(key) ?? []);
    const start = all.findIndex(({ key, versionId }) => key === keyMarker && versionId === versionMarker);
    const entries = start < 0 ? all.filter(({ key }) => isAfter(key, keyMarker)) : all.slice(start + 1);
    const most = maxKeys(query);
    const page = entries.slice(0, most);
    const isTruncated = most > 0 && entries.length > most;
    const last = page.at(-1);
    const written = (version: Version) => ({
      ...(version.isDeleteMarker ? markerOf(version, encoded) : contentOf(version, encoded)),
      VersionId: version.versionId,
      IsLatest: String(bucket.objects.get(version.key)?.[0] === version),
    });
    return {
      status: 200,
      body: {
        ListVersionsResult: {
          Name: bucket.model.name,
          Prefix: encoded(prefix),
          KeyMarker: encoded(keyMarker),
          VersionIdMarker: versionMarker ?? '',
          ...(isTruncated && last && { NextKeyMarker: encoded(last.key), NextVersionIdMarker: last.versionId }),
          ...(query['encoding-type'] && { EncodingType: 'url' }),
          MaxKeys: String(most),
          IsTruncated: String(isTruncated),
          Version: page.filter(({ isDeleteMarker }) => !isDeleteMarker).map(written),
          DeleteMarker: page.filter(({ isDeleteMarker }) => isDeleteMarker).map(written),
        },
      },
    };
  },
};

type Encode = (text: string) => string;

function contentOf({ key, lastModified, etag, size, checksums }: Version, encoded: Encode) {
  const algorithms = Object.keys(checksums).map((algorithm) => algorithm.toUpperCase());
  return {
    Key: encoded(key),
    LastModified: lastModified,
    ETag: etag,
    ...(algorithms.length > 0 && { ChecksumAlgorithm: algorithms, ChecksumType: 'FULL_OBJECT' }),
    Size: String(size),
    StorageClass: 'STANDARD',
  } satisfies Xml;
}

function markerOf({ key, lastModified }: Version, encoded: Encode) {
  return { Key: encoded(key), LastModified: lastModified };
}

/** Keys that continue after the delimiter become one entry without a version. */
function grouped(versions: readonly Version[], prefix: string, delimiter: string | undefined) {
  const entries = new Map<string, Version | null>();
  for (const version of versions) {
    const end = delimiter ? version.key.indexOf(delimiter, prefix.length) : -1;
    if (end < 0) entries.set(version.key, version);
    else entries.set(version.key.slice(0, end + (delimiter ?? '').length), null);
  }
  return [...entries].map(([name, version]) => ({ name, version }));
}

function keysOf({ objects }: Bucket, prefix: string): string[] {
  return [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted(compare);
}

function isAfter(name: string, marker: string): boolean {
  return marker === '' || compare(name, marker) > 0;
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function maxKeys({ 'max-keys': stated }: S3Call['query']): number {
  const most = stated === undefined ? 1000 : Number(stated);
  if (!Number.isInteger(most) || most < 0) {
    throw invalidArgument('Argument maxKeys must be an integer between 0 and 2147483647', 'maxKeys', stated);
  }
  return Math.min(most, 1000);
}

function encoder({ 'encoding-type': type }: S3Call['query']): Encode {
  return type === 'url' ? encodeURIComponent : (text) => text;
}
