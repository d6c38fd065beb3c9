import { expect, test } from 'vitest';
import type { Image } from '../../functions/consent-events/rules/image.ts';
import { leaverIn } from '../../functions/research-exports/rules/leaver.ts';

/** Who left, as the stream of the enrolments says it. */

const seconds = Date.parse('2026-11-22T12:00:00.000Z') / 1000;
const row = (change: Image = {}): Image => ({
  studyId: { S: 'study' },
  userId: { S: 'user' },
  agreementId: { S: 'research-data' },
  consentRecordedAt: { S: '2026-11-20T00:00:00.000Z' },
  consentSequence: { N: '1' },
  keepExported: { BOOL: false },
  ...change,
});
const found = (OldImage?: Image, NewImage?: Image) =>
  leaverIn({ dynamodb: { OldImage, NewImage, ApproximateCreationDateTime: seconds } });
const leftAt = { S: '2026-11-21T00:00:00.000Z' };
const named = { userId: 'user', studyId: 'study' };
const occasionOf = (keepExported: boolean) => ({ ...named, occasion: { reason: 'left', keepExported, at: leftAt.S } });
const left = (keepExported: boolean) => occasionOf(keepExported);

test.each<[string, Image | undefined, Image | undefined, unknown]>([
  ['a join', undefined, row(), null],
  ['an end', row(), row({ leftAt }), left(false)],
  ['an end that allows to keep', row(), row({ leftAt, keepExported: { BOOL: true } }), left(true)],
  ['the same end again', row({ leftAt }), row({ leftAt }), null],
  ['another choice after the end', row({ leftAt, keepExported: { BOOL: true } }), row({ leftAt }), left(false)],
  ['a join after the end', row({ leftAt }), row({ consentSequence: { N: '3' } }), null],
  ['a join on the next record, which nothing can lie before', row(), row({ consentSequence: { N: '2' } }), null],
  ['a row without numbers', row({ consentSequence: {} }), row({ consentSequence: {} }), null],
  [
    'an erasure',
    row(),
    undefined,
    { ...named, occasion: { reason: 'erased', at: new Date(seconds * 1000).toISOString() } },
  ],
  [
    'a join on a later consent, before the event of a revocation came',
    row(),
    row({ consentSequence: { N: '3' }, consentRecordedAt: leftAt }),
    { ...occasionOf(false), between: { before: 1, now: 3 } },
  ],
])('%s', (_name, before, after, expected) => {
  expect(found(before, after)).toEqual(expected);
});
