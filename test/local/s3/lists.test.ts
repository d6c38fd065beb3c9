import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { started } from './started.ts';

const put = async (client: S3Client, Bucket: string, ...keys: string[]) => {
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
};

test('objects are listed by key, a page at a time, only those of a prefix', async () => {
  const { client } = await started();
  const keys = ['a/1', 'a/2', 'a/Z', 'a/ä', 'a/💊', 'b'];
  await put(client, 'plain', ...keys.toReversed());
  const found: string[] = [];
  const pages = paginateListObjectsV2({ client, pageSize: 2 }, { Bucket: 'plain', Prefix: 'a/' });
  for await (const { Contents = [] } of pages) found.push(...Contents.map(({ Key = '' }) => Key));
  expect(found).toEqual(['a/1', 'a/2', 'a/Z', 'a/ä', 'a/💊']);
  const all = await client.send(new ListObjectsV2Command({ Bucket: 'plain', Delimiter: '/' }));
  expect(all).toMatchObject({ KeyCount: 2, CommonPrefixes: [{ Prefix: 'a/' }], Contents: [{ Key: 'b', Size: 1 }] });
  const after = await client.send(new ListObjectsV2Command({ Bucket: 'plain', StartAfter: 'a/💊', MaxKeys: 1 }));
  expect(after).toMatchObject({ Contents: [{ Key: 'b' }], IsTruncated: false });
});

test('a deleted object is only in the list of versions, newest first', async () => {
  const { client } = await started();
  const Bucket = 'locked';
  await put(client, Bucket, 'a', 'a', 'b', '<&>');
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents.map(({ Key }) => Key)).toEqual(['<&>', 'b']);
  const all = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a' }));
  expect(all.DeleteMarkers).toMatchObject([{ Key: 'a', IsLatest: true }]);
  expect(all.Versions).toMatchObject([{ IsLatest: false }, { IsLatest: false }]);

  const found: (string | undefined)[] = [];
  let markers: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (let page = 0; page < 5; page += 1) {
    const {
      Versions = [],
      DeleteMarkers = [],
      ...more
    } = await client.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 1, ...markers }));
    found.push(...[...Versions, ...DeleteMarkers].map(({ VersionId }) => VersionId));
    markers = { KeyMarker: more.NextKeyMarker, VersionIdMarker: more.NextVersionIdMarker };
    expect(more.IsTruncated).toBe(page < 4);
  }
  expect(new Set(found).size).toBe(5);
});
