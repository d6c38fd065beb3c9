import type { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { emptyBucket } from '../../bin/empty-bucket.ts';

/** A bucket as S3 answers for it: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */

type Kept = { Key: string; VersionId: string; retention?: 'GOVERNANCE' | 'COMPLIANCE'; isHeld?: boolean };
type Command = {
  constructor: { name: string };
  input: {
    Key?: string;
    BypassGovernanceRetention?: boolean;
    Delete?: { Objects: { Key: string; VersionId: string }[] };
  };
};

const until = new Date('2036-01-01T00:00:00.000Z');

function bucket(hasLock: boolean, objects: Kept[]) {
  let left = objects;
  const send = async ({ constructor: { name }, input }: Command) => {
    switch (name) {
      case 'ListObjectVersionsCommand':
        return { Versions: left, IsTruncated: false };
      case 'PutObjectLegalHoldCommand':
        for (const each of left) if (each.Key === input.Key) each.isHeld = false;
        return {};
      case 'GetObjectRetentionCommand':
        return { Retention: { RetainUntilDate: until } };
      default: {
        const bypasses = input.BypassGovernanceRetention === true;
        // As reported of real buckets: the header is "only applicable to Object Lock enabled buckets".
        if (bypasses && !hasLock) throw Object.assign(new Error('400'), { name: 'InvalidArgument' });
        const asked = new Set(input.Delete?.Objects.map(({ Key }) => Key));
        const mayGo = ({ retention, isHeld }: Kept) =>
          isHeld !== true && (retention === undefined || (bypasses && retention === 'GOVERNANCE'));
        const refused = left.filter((each) => asked.has(each.Key) && !mayGo(each));
        left = left.filter((each) => !asked.has(each.Key) || !mayGo(each));
        return { Errors: refused.map(({ Key, VersionId }) => ({ Key, VersionId, Code: 'AccessDenied' })) };
      }
    }
  };
  return { client: { send } as unknown as S3Client, left: () => left.map(({ Key }) => Key) };
}

const object = (Key: string, more: Partial<Kept> = {}): Kept => ({ Key, VersionId: 'v', ...more });

test('a bucket without Object Lock is emptied, and never asked to bypass one', async () => {
  const { client, left } = bucket(false, [object('a'), object('b')]);
  expect(await emptyBucket('logs', client)).toEqual({ deleted: 2, kept: [] });
  expect(left()).toEqual([]);
});

test('holds and governance give way; what is under compliance stays, with its date', async () => {
  const governed = object('governed', { retention: 'GOVERNANCE' });
  const complied = object('complied', { retention: 'COMPLIANCE' });
  const { client, left } = bucket(true, [object('free'), governed, object('held', { isHeld: true }), complied]);
  expect(await emptyBucket('evidence', client)).toEqual({ deleted: 3, kept: [{ key: 'complied', until }] });
  expect(left()).toEqual(['complied']);
});
