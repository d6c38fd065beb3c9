import type { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { verifyContents } from '../../functions/agreements/stores/content-objects.ts';

function verify(locales: readonly string[], error: Error) {
  const send = async () => Promise.reject(error);
  const declared = locales.map((locale) => [locale, { contentHash: 'a'.repeat(64) }]);
  const version = { versionId: 'privacy-1.0', locales: Object.fromEntries(declared) };
  const place = { s3: { send } as unknown as S3Client, bucket: 'texts' };
  return verifyContents(place, version as Parameters<typeof verifyContents>[1]);
}

const failure = (name: string, message = '') => Object.assign(new Error(message), { name });

test('the texts that are missing are named in the order of their languages, whichever is looked for first', async () => {
  const { problems } = await verify(['fr', 'de', 'it', 'en'], failure('NoSuchKey'));
  expect(problems.map(({ locale }) => locale)).toEqual(['de', 'en', 'fr', 'it']);
});

test('a text that the bucket refuses as it was not found clean is unscanned; a permission that lacks is an error', async () => {
  const denied = (why: string) => failure('AccessDenied', `X is not authorized to perform: s3:GetObject on "Y" ${why}`);
  const { problems } = await verify(['en'], denied('with an explicit deny in a resource-based policy'));
  expect(problems).toEqual([{ locale: 'en', problem: 'unscanned' }]);
  const lost = denied('because no identity-based policy allows the s3:GetObject action');
  await expect(verify(['en'], lost)).rejects.toBe(lost);
});
