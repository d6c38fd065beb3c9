import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPatientTimeline } from '../../functions/crm-patients/routes.ts';
import { adherenceOf } from '../../functions/crm-patients/rules/adherence.ts';
import {
  type Happening,
  type Kind,
  kinds,
  merged,
  type Position,
  pageOf,
  type SourcePage,
} from '../../functions/crm-patients/rules/timeline.ts';
import { latestOfEach, type Scored } from '../../functions/questionnaire-responses/rules/latest-scores.ts';

/** Pages of a timeline, of sources to which is added while somebody reads on. */

type Stored = { readonly kind: Kind; readonly time: number; readonly id: number; readonly isDeleted: boolean };

const timeOf = (time: number) => new Date(Date.UTC(2026, 0, 1) + time * 1000).toISOString();
const placeOf = ({ time, id }: Stored) => `${String(time).padStart(4, '0')}#${String(id).padStart(4, '0')}`;
const nameOf = ({ kind, id }: Pick<Stored, 'kind' | 'id'>) => `${kind} ${id}`;

/** As the readers of the domains: newest first, from behind a place on; what was deleted takes room in a page and is not shown. */
function sourcePage(rows: readonly Stored[], kind: Kind, limit: number, after: string | null): SourcePage {
  const left = rows
    .filter((row) => row.kind === kind && (after === null || placeOf(row) < after))
    .toSorted((one, other) => (placeOf(one) > placeOf(other) ? -1 : 1));
  const read = left.slice(0, limit);
  const found = read.flatMap((row) => {
    const event = { kind, at: timeOf(row.time), eventId: String(row.id), subject: null };
    return row.isDeleted ? [] : [{ place: placeOf(row), event }];
  });
  const last = read.at(-1);
  return { found, next: left.length > limit && last ? placeOf(last) : null };
}

function pageOfAll(rows: readonly Stored[], limit: number, from: Position) {
  const pages = Object.fromEntries(kinds.map((kind) => [kind, sourcePage(rows, kind, limit, from[kind] ?? null)]));
  return merged(pages as Record<Kind, SourcePage>, { limit, from });
}

const stored = (times: fc.Arbitrary<number>) =>
  fc.record({ kind: fc.constantFrom(...kinds), time: times, isDeleted: fc.boolean() });

const story = fc.record({
  before: fc.array(stored(fc.nat(60)), { maxLength: 60 }),
  // Older and newer than what is there.
  added: fc.array(fc.array(stored(fc.nat(120)), { maxLength: 5 }), { maxLength: 20 }),
  limit: fc.integer({ min: 1, max: 9 }),
});

test('the cursor has the place of each kind', () => {
  expect(readPatientTimeline.cursor).toEqual([...kinds.map((kind) => `${kind}?`), 'until?']);
});

describe('pages of the timeline', () => {
  test('nothing that was there is lost, nothing is shown twice, and it is newest first, whatever is added meanwhile', () => {
    fc.assert(
      fc.property(story, ({ before, added, limit }) => {
        let id = 0;
        const withIds = (rows: readonly Omit<Stored, 'id'>[]) => rows.map((row): Stored => ({ ...row, id: ++id }));
        const there = withIds(before);
        let rows = there;
        const shown: Happening[] = [];
        let from: Position | null = {};
        for (let round = 0; from; round += 1) {
          expect(round).toBeLessThan(200);
          const page: ReturnType<typeof pageOfAll> = pageOfAll(rows, limit, from);
          expect(page.events.length).toBeLessThanOrEqual(limit);
          shown.push(...page.events);
          from = page.next;
          rows = [...rows, ...withIds(added[round] ?? [])];
        }
        const names = shown.map(({ kind, eventId }) => nameOf({ kind, id: Number(eventId) }));
        expect(new Set(names).size).toBe(names.length);
        const expected = there.filter(({ isDeleted }) => !isDeleted).map(nameOf);
        expect(expected.filter((name) => !names.includes(name))).toEqual([]);
        const times = shown.map(({ at }) => at);
        expect(times).toEqual(times.toSorted().toReversed());
      }),
      { numRuns: 300 },
    );
  });

  test('what is newer than what was shown first is on no later page, also of a kind that had shown nothing', () => {
    const row = (kind: Kind, time: number, id: number): Stored => ({ kind, time, id, isDeleted: false });
    const there = [row('response', 50, 1), row('response', 40, 2), row('ticket', 30, 3)];
    const first = pageOfAll(there, 1, {});
    expect(first.events.map(({ eventId }) => eventId)).toEqual(['1']);
    const added = [row('ticket', 60, 4), row('diary', 70, 5), row('diary', 20, 6)];
    const rest = pageOfAll([...there, ...added], 9, first.next ?? {});
    expect([rest.events.map(({ eventId }) => eventId), rest.next]).toEqual([['2', '3', '6'], null]);
  });

  test('of one time: by kind, each once, page by page', () => {
    const rows = kinds.map((kind, id): Stored => ({ kind, time: 1, id, isDeleted: false }));
    const shown: string[] = [];
    for (let from: Position | null = {}; from; ) {
      const page: ReturnType<typeof pageOfAll> = pageOfAll(rows, 2, from);
      shown.push(...page.events.map(({ kind }) => kind));
      from = page.next;
    }
    expect(shown).toEqual([...kinds]);
  });

  test('nothing at all', () => expect(pageOfAll([], 5, {})).toEqual({ events: [], next: null }));

  test('a source that is known whole goes on behind its place', () => {
    const unit = (at: string, eventId: string): Happening => ({ kind: 'unit', at, eventId, subject: null });
    const units = [unit('2026-01-01', 'a'), unit('2026-01-03', 'b'), unit('2026-01-01', 'c')];
    const first = pageOf(units, 2, null);
    expect(first.found.map(({ event }) => event.eventId)).toEqual(['b', 'c']);
    const second = pageOf(units, 2, first.next);
    expect([second.found.map(({ event }) => event.eventId), second.next]).toEqual([['a'], null]);
  });
});

describe('the latest of each questionnaire', () => {
  const row = (responseId: string, questionnaireId: string, more: Partial<Scored> = {}): Scored => {
    const open = { version: '1', scores: [], flags: [], completedAt: '2026-01-01', amends: null, amendedBy: null };
    return { responseId, questionnaireId, ...open, ...more };
  };

  test.each<[string, Scored[], string[]]>([
    ['none', [], []],
    ['of each the newest', [row('c', 'phq'), row('b', 'isi'), row('a', 'phq')], ['c', 'b']],
    [
      'as it stands corrected',
      [
        row('c', 'phq', { amends: 'b' }),
        row('b', 'phq', { amends: 'a', amendedBy: 'c' }),
        row('a', 'phq', { amendedBy: 'b' }),
      ],
      ['c'],
    ],
    [
      'a correction of an older one is not the latest',
      [row('c', 'phq', { amends: 'a' }), row('b', 'phq'), row('a', 'phq', { amendedBy: 'c' })],
      ['b'],
    ],
    ['a correction of one that is older than all of them', [row('c', 'phq', { amends: 'a' })], ['c']],
  ])('%s', (_case, rows, expected) => {
    expect(latestOfEach(rows).map(({ responseId }) => responseId)).toEqual(expected);
  });
});

test('adherence counts the units of the four weeks, and says when something was last', () => {
  const weeks = { from: '2026-01-05', to: '2026-02-01', diaryNights: 3, lastDiaryDate: '2026-01-31' };
  const completed = ['2026-01-04T23:59:59.999Z', '2026-01-05T00:00:00.000Z', '2026-02-01T23:59:59.999Z'];
  expect(adherenceOf({ ...weeks, completed, responses: [null, '2026-01-02'] })).toEqual({
    ...weeks,
    unitsCompleted: 2,
    lastUnitAt: completed[2],
    lastResponseAt: '2026-01-02',
  });
  expect(adherenceOf({ ...weeks, completed: [], responses: [] })).toMatchObject({
    lastUnitAt: null,
    lastResponseAt: null,
  });
});
