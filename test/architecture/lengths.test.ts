import { expect, test } from 'vitest';
import { contentKey } from '../../functions/agreements/rules/content.ts';
import { zipKey } from '../../functions/personal-exports/stores/export-objects.ts';
import { decisionKey, fileKey, pageKey, rowsKey } from '../../functions/research-exports/stores/export-files.ts';
import { sealCursor } from '../../lib/runtime/cursor.ts';

/** What is built for AWS or for the next request stays below what it may be, at the longest that the schemas let in. */

const id = 'i'.repeat(64);
const locale = 'l'.repeat(35);
const hash = 'f'.repeat(64);
const most = Number.MAX_SAFE_INTEGER;

test('no key of an object is longer than S3 takes', () => {
  const named = { studyId: id, exportId: id };
  const keys = [
    contentKey(id, locale, hash),
    `files/${hash}.json`,
    zipKey({ userId: id, exportId: id }),
    fileKey(named, id),
    pageKey(named, most, most),
    decisionKey(named, most),
    rowsKey(named, { pseudonym: id, putAt: most }, id),
  ];
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
  for (const key of keys) expect(Buffer.byteLength(key), key).toBeLessThan(1024);
});

test('a cursor over the longest key of a list fits the next request, with everything that a client sends beside it', () => {
  // A key and an index's key of a row, each of two ids and a time.
  const part = `${id}#${id}#2026-01-01T00:00:00.000Z`;
  const position = { pk: part, sk: part, indexPk: part, indexSk: part };
  const cursor = sealCursor(position, ['secret'], [id]);
  // API Gateway takes 10,240 bytes of request line and headers, and a token has some 2,000.
  expect(encodeURIComponent(cursor).length).toBeLessThan(2000);
});
