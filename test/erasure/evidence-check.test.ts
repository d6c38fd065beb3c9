import { describe, expect, test } from 'vitest';
import { nothing } from '../../functions/erasure/rules/erasure.ts';
import { irregularityOf, type RequestEvidence, releaseKeyOf } from '../../functions/erasure/rules/evidence-check.ts';
import { type Checking, checkEvidence } from '../../functions/erasure/workflows/check-evidence.ts';

const day = (number: number) => new Date(Date.UTC(2026, 2, number));
const rules = { graceMs: 7 * 86_400_000, dueMs: 7 * 86_400_000, now: day(20) };
const asked: RequestEvidence = {
  requestedAt: day(1).toISOString(),
  requestStoredAt: day(1),
  isSeen: true,
  begunAt: null,
  isErased: false,
};
const again = { ...asked, requestedAt: new Date(day(1).getTime() + 60_000).toISOString() };

test('the name of an object that somebody stored is no line of its own in the message', async () => {
  const names = ['x\n\nAll erasures are as they should be.\nZ', `${'x'.repeat(800)}Z`];
  const Versions = names.map((name) => ({
    Key: `erasure-begun/u/${name}.begun.json`,
    VersionId: 'v',
    LastModified: day(1),
  }));
  const send = async ({ input }: { input: { Prefix: string; KeyMarker: string } }) => ({
    Versions: Versions.filter(({ Key }) => Key.startsWith(input.Prefix) && Key > input.KeyMarker),
  });
  const { findings } = await checkEvidence({
    ...rules,
    bucket: { s3: { send }, bucket: 'evidence' } as unknown as Checking['bucket'],
    isHeld: async () => false,
    isEnforced: async () => true,
    hasReleaseOrHold: async () => true,
    hasTime: () => true,
  });
  expect(findings).toHaveLength(2);
  const form = /^erased-unasked: user \S+, request of [\x20-\x7e]{1,64}$/;
  for (const finding of findings) expect(finding).toMatch(form);
});

describe('the requests of users, and their outcome in the evidence', () => {
  test.each<[string, RequestEvidence, string | null]>([
    ['erased in its time', { ...asked, begunAt: day(8), isErased: true }, null],
    [
      'begun a moment before the grace was over',
      { ...asked, begunAt: new Date(day(8).getTime() - 1) },
      'begun-within-the-grace',
    ],
    ['erased, and nobody asked', { ...asked, requestStoredAt: null, isErased: true }, 'erased-unasked'],
    ['begun, and nobody asked', { ...asked, requestStoredAt: null, begunAt: day(8) }, 'erased-unasked'],
    ['erased, and never begun', { ...asked, isErased: true }, 'erased-unbegun'],
    ['seen, and nobody asked: nothing was done', { ...asked, requestStoredAt: null }, null],
    ['not erased a day after it was due', { ...asked, requestStoredAt: new Date(day(12).getTime() - 1) }, 'overdue'],
    ['not erased within that day', { ...asked, requestStoredAt: day(12) }, null],
    ['begun, and not ended', { ...asked, begunAt: day(8) }, 'overdue'],
    ['never seen', { ...asked, isSeen: false }, 'never-taken-up'],
  ])('%s', (_, evidence, irregularity) => {
    expect(irregularityOf(evidence, [evidence], rules)).toBe(irregularity);
  });

  test('after a double click one request is carried out, and that is enough', () => {
    const unseen = { ...asked, isSeen: false };
    expect(irregularityOf(unseen, [unseen, again], rules)).toBe(null);
    expect(irregularityOf(unseen, [unseen, { ...again, isSeen: false }], rules)).toBe('never-taken-up');
    const later = { ...again, requestedAt: new Date(day(1).getTime() + 60_001).toISOString() };
    expect(irregularityOf(unseen, [unseen, later], rules)).toBe('never-taken-up');
  });
});

test('the records of who was erased have a release in the queue, after the retention and no later', () => {
  const at = '2026-03-08T00:00:00.000Z';
  const until = '2036-03-08T00:00:00.000Z';
  const done = { requestedAt: at, settledAt: at, signedOutAt: at, witnessedAt: at, closedAt: at, accessEndsAt: at };
  const erased = { ...nothing('u'), application: 'sleepcare', ...done, begunAt: at, erasedAt: at, retainUntil: until };
  const keyOf = (state: typeof erased | null, now = day(20)) => releaseKeyOf(state, new Date(at), now);
  expect(keyOf(erased)).toEqual({ kind: 'due#release', erasureKey: `${until}#u` });
  // A hold and a release that was done are looked up elsewhere.
  const hold = { since: at, by: 'b', reason: 'A-2026-1' };
  for (const wrong of [{ retainUntil: '9999-01-01T00:00:00.000Z' }, { requestedAt: null }, { legalHold: hold }])
    expect(keyOf({ ...erased, ...wrong } as typeof erased)).toBeNull();
  expect(keyOf({ ...erased, releasedAt: until } as unknown as typeof erased)).toBeNull();
  expect(keyOf(null)).toBeNull();
  const overdue = new Date(Date.parse(until) + 2 * 86_400_000);
  expect(keyOf(erased, overdue)).not.toBeNull();
  expect(keyOf(erased, new Date(overdue.getTime() + 1))).toBeNull();
});
