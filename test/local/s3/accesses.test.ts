import { expect, test } from 'vitest';
import { AgreementContents } from '../../../functions/agreements/buckets.ts';
import { authorizeAccess } from '../../../lib/local/iam.ts';
import { s3Accesses } from '../../../lib/local/s3/accesses.ts';
import { useOfBucket } from '../../../lib/stack/grants.ts';

const bucket = 'arn:aws:s3:::texts';

/** The publishing function's call, by the statements that its declaration gives it. */
function isAllowed(status: string): boolean {
  const [access] = s3Accesses(
    {
      action: 'PutObjectLegalHold',
      bucket: 'texts',
      key: 'versions/a',
      versionId: 'v1',
      headers: {},
      query: {},
      accessKeyId: 'KEY',
      authType: 'REST-HEADER',
      body: Buffer.from(
        `<LegalHold xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>${status}</Status></LegalHold>`,
      ),
    },
    bucket,
  );
  if (!access) throw new Error('the call needs nothing');
  const statements = JSON.parse(JSON.stringify(useOfBucket(bucket, { bucket: AgreementContents, access: 'hold' })));
  const action = `s3:${access.action}`;
  const asked = { action, resource: access.resource, context: access.context ?? {}, unknown: [] };
  return authorizeAccess(asked, { arn: 'arn:aws:iam::1:role/r', statements }) === undefined;
}

test('who publishes texts may place a legal hold, and not lift one', () => {
  expect(isAllowed('ON')).toBe(true);
  expect(isAllowed('OFF')).toBe(false);
});
