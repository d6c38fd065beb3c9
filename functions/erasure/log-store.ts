import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import type { Erasure } from './erasure.ts';
import { logNameOf } from './replayed.ts';

/**
 * The log of erasures, outside the tables: each state under its own key in the bucket of evidence, where nobody changes or
 * removes it. A table that was restored from a backup has forgotten the erasures since, and learns them from here.
 */

const prefix = 'erasures/';

/** Repeatable: the same state is there once. */
export async function logErasure(client: S3Client, bucket: string, erasure: Erasure): Promise<void> {
  await putOnce(client, bucket, {
    key: `${prefix}${erasure.userId}/${logNameOf(erasure)}.json`,
    body: JSON.stringify(erasure),
    type: 'application/json',
  });
}

export async function storeTombstone(client: S3Client, bucket: string, userId: string, jws: string): Promise<void> {
  await putOnce(client, bucket, { key: `tombstones/${userId}.jws`, body: jws, type: 'application/jose' });
}

type Written = { key: string; body: string; type: string };

async function putOnce(client: S3Client, bucket: string, { key, body, type }: Written): Promise<void> {
  try {
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: type, IfNoneMatch: '*' }),
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === 'PreconditionFailed')) throw error;
  }
}

/** All states of each user in the log. Keys come in their order, so that those of a user follow each other. */
export async function* loggedErasures(client: S3Client, bucket: string): AsyncGenerator<[string, Erasure[]]> {
  let user: [string, Erasure[]] | null = null;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key: key = '' } of Contents) {
      const userId = userOf(key);
      if (user && user[0] !== userId) yield user;
      user = user?.[0] === userId ? user : [userId, []];
      user[1].push(await read(client, bucket, key));
    }
  }
  if (user) yield user;
}

function userOf(key: string): string {
  return key.split('/')[1] ?? '';
}

async function read(client: S3Client, bucket: string, key: string): Promise<Erasure> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return JSON.parse((await Body?.transformToString()) ?? '') as Erasure;
}
