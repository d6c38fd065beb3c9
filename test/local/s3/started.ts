import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import type { BucketModel } from '../../../lib/local/model.ts';
import { type S3Options, startS3 } from '../../../lib/local/s3/s3.ts';

/** The local S3 and the unmodified SDK's client of it. */

const region = 'eu-central-1';

export function bucketModel(name: string, rest: Partial<BucketModel> = {}): BucketModel {
  const plain = { isVersioned: false, lock: null, cors: [], policy: [] };
  return { logicalId: name, name, arn: `arn:aws:s3:::${name}`, ...plain, ...rest };
}

/** One without versions, one with object lock, one with a default retention of a day. */
const plain = bucketModel('plain');
export const locked = bucketModel('locked', { isVersioned: true, lock: { retention: null } });
const retained = bucketModel('retained', {
  isVersioned: true,
  lock: { retention: { mode: 'COMPLIANCE', days: 1 } },
});

export async function started(options: Partial<S3Options> = {}, config: Partial<S3ClientConfig> = {}) {
  let elapsed = 0;
  const now = () => Date.now() + elapsed;
  const buckets = [plain, locked, retained];
  const s3 = await startS3({ region, buckets, now, ...options });
  const client = clientOf(s3.url, config);
  const close = async () => {
    client.destroy();
    await s3.close();
  };
  onTestFinished(close);
  const elapse = (milliseconds: number) => {
    elapsed += milliseconds;
  };
  return { s3, url: s3.url, client, close, elapse };
}

export function clientOf(endpoint: string, config: Partial<S3ClientConfig> = {}): S3Client {
  const credentials = { accessKeyId: 'TESTER', secretAccessKey: 'local' };
  return new S3Client({ endpoint, region, credentials, maxAttempts: 1, ...config });
}

export const DAY = 24 * 60 * 60 * 1000;
