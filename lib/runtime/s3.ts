import { S3Client } from '@aws-sdk/client-s3';
import { objectLimits } from './limits.ts';

let client: S3Client | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function s3(): S3Client {
  client ??= new S3Client(objectLimits);
  return client;
}
