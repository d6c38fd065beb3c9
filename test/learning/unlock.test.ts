import { describe, expect, test } from 'vitest';
import { programmes } from '../../functions/access-codes/schemas.ts';
import {
  entitlementAt,
  type Facts,
  isModuleOpen,
  missingFor,
  missingForModule,
  missingForUnit,
} from '../../functions/learning/rules/unlock.ts';
import { programmeContents, programmesWith } from '../../functions/sleep/rules/programmes.ts';
import { unitOf } from './courses.ts';

const facts = (more: Partial<Facts> = {}): Facts => ({
  today: '2026-03-09',
  entitlement: { firstDay: '2026-03-02', programmeId: 'insomnia-basic' },
  begunUnits: new Set(['c.one']),
  completedUnits: new Set(['c.one']),
  completedQuestionnaires: new Set(['isi']),
  ...more,
});

const nothing = { unitId: null, day: null, date: null, questionnaireId: null };
const unit = (unitId: string) => ({ ...nothing, kind: 'unit', unitId });
const day = (number: number, date: string | null) => ({ ...nothing, kind: 'day', day: number, date });
const questionnaire = (questionnaireId: string) => ({ ...nothing, kind: 'questionnaire', questionnaireId });

describe('a rule', () => {
  test.each([
    ['none', null, []],
    ['after what is completed', { after: 'c.one' }, []],
    ['after what is not', { after: 'c.two' }, [unit('c.two')]],
    ['on the first day', { day: 0 }, []],
    ['on the very day', { day: 7 }, []],
    ['on the day after', { day: 8 }, [day(8, '2026-03-10')]],
    ['after a questionnaire', { questionnaire: 'isi' }, []],
    ['after another one', { questionnaire: 'phq-9' }, [questionnaire('phq-9')]],
    [
      'all, of which two are missing',
      { all: [{ after: 'c.two' }, { day: 7 }, { day: 9 }] },
      [unit('c.two'), day(9, '2026-03-11')],
    ],
    ['any, of which one is there', { any: [{ after: 'c.two' }, { day: 7 }] }, []],
    ['any, of which none is there', { any: [{ after: 'c.two' }, { day: 8 }] }, [unit('c.two'), day(8, '2026-03-10')]],
    ['one within another', { all: [{ any: [{ day: 99 }, { questionnaire: 'isi' }] }, { after: 'c.one' }] }, []],
  ])('%s', (_case, rule, missing) => {
    expect(missingFor(rule, facts())).toEqual(missing);
  });

  test('a day has no date where nothing began', () => {
    expect(missingFor({ day: 0 }, facts({ entitlement: null }))).toEqual([day(0, null)]);
  });

  test('days of the calendar, over a month’s end and the change to summer time', () => {
    const late = facts({ entitlement: { firstDay: '2026-03-26', programmeId: 'insomnia-basic' }, today: '2026-04-01' });
    expect(missingFor({ day: 6 }, late)).toEqual([]);
    expect(missingFor({ day: 7 }, late)).toEqual([day(7, '2026-04-02')]);
  });
});

test('a unit is locked by its course, its module and itself, each thing once', () => {
  const [course, module] = [{ requiresEntitlement: true }, { unlock: { after: 'c.two' }, units: [] }];
  const locked = missingForUnit(
    course,
    module,
    unitOf('c.three', { all: [{ after: 'c.two' }, { day: 1 }] }),
    facts({ entitlement: null }),
  );
  expect(locked).toEqual([{ ...nothing, kind: 'entitlement' }, unit('c.two'), day(1, null)]);
  expect(
    missingForUnit(
      ...[{ requiresEntitlement: false }, { unlock: null, units: [] }, unitOf('c.three')],
      facts({ entitlement: null }),
    ),
  ).toEqual([]);
});

describe('what was begun on its day is not locked again by a flight to the west, where it is the day before', () => {
  const course = { requiresEntitlement: true };
  const [begun, other] = [unitOf('c.begun', { any: [{ day: 8 }, { after: 'c.two' }] }), unitOf('c.other')];
  const module = { unlock: { all: [{ day: 8 }, { after: 'c.one' }] }, units: [begun, other] };
  const here = facts({ begunUnits: new Set(['c.one', 'c.begun']) });

  test('neither the unit, nor its module, nor what the app takes along', () => {
    expect(missingForUnit(course, module, begun, here)).toEqual([]);
    expect(missingForModule(course, module, here)).toEqual([]);
    expect(missingForUnit(course, module, other, here)).toEqual([]);
    expect(isModuleOpen(course, module, here)).toBe(true);
  });

  test('a day of its own that a unit waits for still counts, and so does all but days', () => {
    expect(missingForUnit(course, module, unitOf('c.other', { day: 9 }), here)).toEqual([day(9, '2026-03-11')]);
    expect(missingForUnit(course, { ...module, unlock: { after: 'c.two' } }, begun, here)).toEqual([unit('c.two')]);
    const ended = facts({ ...here, entitlement: null });
    expect(missingForUnit(course, { ...module, unlock: null }, begun, ended)).toEqual([
      { ...nothing, kind: 'entitlement' },
      day(8, null),
      unit('c.two'),
    ]);
  });

  test('what nobody began waits for its day', () => {
    expect(missingForModule(course, module, facts())).toEqual([day(8, '2026-03-10')]);
  });
});

describe('a module is taken along', () => {
  const course = { requiresEntitlement: true };
  const open = (units: Parameters<typeof unitOf>[], more: Partial<Facts> = {}) =>
    isModuleOpen(course, { unlock: null, units: units.map((each) => unitOf(...each)) }, facts(more));

  test('while its units wait only for one another', () => {
    expect(open([['c.a'], ['c.b', { after: 'c.a' }]])).toBe(true);
  });

  test.each([
    ['a day', { day: 8 }],
    ['a unit of another module', { all: [{ after: 'c.a' }, { after: 'c.two' }] }],
    ['a questionnaire', { questionnaire: 'phq-9' }],
  ])('not while one waits for %s', (_case, rule) => {
    expect(open([['c.a'], ['c.b', rule]])).toBe(false);
  });

  test('not without the entitlement, nor while the module itself is locked', () => {
    expect(open([['c.a']], { entitlement: null })).toBe(false);
    const module = { unlock: { after: 'c.a' }, units: [unitOf('c.a')] };
    expect(isModuleOpen(course, module, facts())).toBe(false);
  });
});

describe('an entitlement', () => {
  const of = (startsAt: string, endsAt: string, programmeId = 'p') => ({ programmeId, startsAt, endsAt });
  const march = of('2026-03-02T23:30:00.000Z', '2026-03-31T23:30:00.000Z');
  const at = (instant: string, all = [march], zone = 'Europe/Berlin') =>
    entitlementAt(all, ['p'], new Date(instant), zone);

  test.each([
    ['a millisecond before it starts', '2026-03-02T23:29:59.999Z', null],
    ['when it starts, where it is the next day', '2026-03-02T23:30:00.000Z', '2026-03-03'],
    ['a millisecond before it ends', '2026-03-31T23:29:59.999Z', '2026-03-03'],
    ['when it ends', '2026-03-31T23:30:00.000Z', null],
  ])('%s', (_case, instant, firstDay) => {
    expect(at(instant)).toEqual(firstDay && { firstDay, programmeId: 'p' });
  });

  test('its first day is the patient’s own', () => {
    expect(at('2026-03-10T00:00:00Z', [march], 'America/Los_Angeles')).toEqual({
      firstDay: '2026-03-02',
      programmeId: 'p',
    });
  });

  test('a second code goes on with the days of the first', () => {
    const april = of('2026-03-31T23:30:00.000Z', '2026-04-30T23:30:00.000Z');
    expect(at('2026-04-10T00:00:00Z', [april, march])).toEqual({ firstDay: '2026-03-03', programmeId: 'p' });
  });

  test('one of another programme, one that is yet to start and one without any time are none', () => {
    const others = [
      of('2026-01-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z', 'q'),
      of('2026-06-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'),
      of('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'),
    ];
    expect(at('2026-04-10T00:00:00Z', others)).toBeNull();
    expect(at('2026-03-10T00:00:00Z', [...others, march])).toEqual({ firstDay: '2026-03-03', programmeId: 'p' });
  });
});

test('in two programmes at once the first of the course’s counts: the one with a physician', () => {
  expect(programmesWith('sleep-basics')).toEqual(['insomnia-basic', 'insomnia-self-guided']);
  const term = (programmeId: string) => ({
    programmeId,
    startsAt: '2026-03-01T00:00:00.000Z',
    endsAt: '2026-04-01T00:00:00.000Z',
  });
  const both = ['insomnia-self-guided', 'insomnia-basic'].map(term);
  const of = (all: ReturnType<typeof term>[]) =>
    entitlementAt(all, programmesWith('sleep-basics'), new Date('2026-03-10T00:00:00Z'), 'UTC')?.programmeId;
  expect([of(both), of(both.slice(0, 1))]).toEqual(['insomnia-basic', 'insomnia-self-guided']);
});

test('each programme that a code can unlock has its contents', () => {
  expect(Object.keys(programmeContents)).toEqual([...programmes]);
});
