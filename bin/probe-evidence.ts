import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { nameOf } from './probe-ledger.ts';
import type { Probed } from './probed.ts';

/** Tries puts that the policy of evidence allows or denies, with the shell's credentials. */
export function probedEvidence(s3: S3Client, bucket: () => string): Probed['evidence'] {
  const at = () => ({ Bucket: bucket(), Key: 'probe' });
  const put = async (more: Partial<PutObjectCommandInput> = {}) =>
    nameOf(s3.send(new PutObjectCommand({ ...at(), Body: 'probe', ...more })));
  return {
    put: () => put(),
    putToArchive: () => put({ StorageClass: 'GLACIER' }),
    // The SDK adds the key's checksum.
    putUnderOwnKey: () => put({ SSECustomerAlgorithm: 'AES256', SSECustomerKey: randomBytes(32).toString('base64') }),
    beginInParts: async () =>
      nameOf(
        s3.send(new CreateMultipartUploadCommand(at())).then(({ UploadId }) =>
          // Otherwise the bucket could not be deleted.
          s3.send(new AbortMultipartUploadCommand({ ...at(), UploadId })),
        ),
      ),
  };
}
