import { S3Client } from '@aws-sdk/client-s3';

/** A text of up to 10 MB takes longer than a row. Two tries still end within a function's ten seconds. */
const limits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 500, requestTimeout: 3500, throwOnRequestTimeout: true },
} as const;

let client: S3Client | undefined;

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function s3(): S3Client {
  client ??= new S3Client(limits);
  return client;
}
