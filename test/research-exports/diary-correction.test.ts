import { expect, test } from 'vitest';
import type { Image } from '../../functions/consent-events/rules/image.ts';
import { diaryCorrectionsIn } from '../../functions/research-exports/rules/diary-correction.ts';
import { isConcernedBy } from '../../functions/research-exports/rules/notice.ts';

/** Which changes of a diary are corrections, and which exports they concern. */

const seconds = Date.parse('2026-11-22T12:00:00.000Z') / 1000;
const entryArrivedAt = '2026-11-20T08:00:00.000Z';
const row = (change: Image = {}): Image => ({
  userId: { S: 'user' },
  date: { S: '2026-11-20' },
  updatedAt: { S: entryArrivedAt },
  fingerprint: { S: 'one' },
  isDeleted: { BOOL: false },
  ...change,
});
const later = { updatedAt: { S: '2026-11-22T12:00:00.000Z' } };
const occasion = { reason: 'amended', at: '2026-11-22T12:00:01.000Z', entryArrivedAt } as const;
const correction = [{ userId: 'user', studyId: null, occasion }];

test.each<[string, Image | undefined, Image | undefined, unknown]>([
  ['a first entry', undefined, row(), []],
  ['an entry that says something else', row(), row({ ...later, fingerprint: { S: 'two' } }), correction],
  ['a deletion', row(), row({ ...later, fingerprint: { S: '' }, isDeleted: { BOOL: true } }), correction],
  ['the same content, sent again', row(), row(later), []],
  ['an entry where one was deleted', row({ isDeleted: { BOOL: true } }), row({ fingerprint: { S: 'two' } }), []],
  ['the erasure of an account', row(), undefined, []],
  ['a row with only keys', { userId: { S: 'user' } }, row(), []],
])('%s', (_name, OldImage, NewImage, expected) => {
  const dynamodb = { OldImage, NewImage, ApproximateCreationDateTime: seconds };
  expect(diaryCorrectionsIn([{ dynamodb }])).toEqual(expected);
});

test.each([
  ['an export before the entry', '2026-11-20T07:00:00.000Z', true, false],
  ['an export whose page was being read when the entry arrived', '2026-11-20T07:59:00.000Z', true, true],
  ['an export between', '2026-11-21T00:00:00.000Z', true, true],
  ['an export after the correction', '2026-11-22T12:00:02.000Z', true, false],
  ['an export without a diary', '2026-11-21T00:00:00.000Z', false, false],
])('%s', (_name, readAt, hasDiary, expected) => {
  expect(isConcernedBy({ hasAnswers: true, hasDiary, readAt }, occasion)).toBe(expected);
});
