import { statesChecksum, verifiedChecksums } from './checksums.ts';
import { invalidRequest, malformedXml, S3Failure } from './failures.ts';
import { assertChangeable, assertHasLock, holdOf, retentionOf } from './locks.ts';
import { found } from './objects.ts';
import type { Operation, S3Call } from './operation.ts';

/** Retention and legal hold of a version: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectRetention.html and its neighbours. */

export const objectLocks: Readonly<Record<string, Operation>> = {
  async PutObjectLegalHold(context, call) {
    const { store, bucket } = context;
    assertHasLock(bucket.model.lock);
    const version = found(context, call);
    const status = elementsOf(call).Status;
    if (status === undefined) throw malformedXml();
    await store.replace(bucket, { ...version, isHeld: holdOf(status) });
    return { status: 200 };
  },

  async GetObjectLegalHold(context, call) {
    assertHasLock(context.bucket.model.lock);
    const { isHeld } = found(context, call);
    if (isHeld === null) throw notLocked();
    return { status: 200, body: { LegalHold: { Status: isHeld ? 'ON' : 'OFF' } } };
  },

  async PutObjectRetention(context, call) {
    const { store, bucket, now } = context;
    assertHasLock(bucket.model.lock);
    const version = found(context, call);
    const { Mode: mode, RetainUntilDate: until } = elementsOf(call);
    if ((mode === undefined) !== (until === undefined)) throw malformedXml();
    const retention = until === undefined ? null : retentionOf(mode, until, now);
    const bypasses = call.headers['x-amz-bypass-governance-retention'] === 'true';
    assertChangeable(version.retention, retention, now, bypasses);
    await store.replace(bucket, { ...version, retention });
    return { status: 200 };
  },

  async GetObjectRetention(context, call) {
    assertHasLock(context.bucket.model.lock);
    const { retention } = found(context, call);
    if (!retention) throw notLocked();
    return { status: 200, body: { Retention: { Mode: retention.mode, RetainUntilDate: retention.until } } };
  },
};

function notLocked(): S3Failure {
  const message = 'The specified object does not have a ObjectLock configuration';
  return new S3Failure(404, 'NoSuchObjectLockConfiguration', message);
}

/** The texts of a flat document. */
function elementsOf({ body, headers }: S3Call): Record<string, string> {
  if (!statesChecksum(headers)) throw invalidRequest('Missing required header for this request: Content-MD5');
  verifiedChecksums(headers, body);
  const found = body.toString('utf8').matchAll(/<(\w+)>\s*([^<>]*?)\s*<\/\1>/g);
  return Object.fromEntries([...found].map(([, name, text]) => [name, text]));
}
