import { describe, expect, test } from 'vitest';
import { type Corrected, moodOf, screenedOf } from '../../functions/sleep/rules/held.ts';
import { windowTasks } from '../../functions/sleep/rules/home-task.ts';
import { measurementsOf, missingOf } from '../../functions/sleep/rules/measurements.ts';
import type { ReleaseWay } from '../../functions/sleep/rules/release.ts';
import { type Answered, saysAll } from '../../functions/sleep/rules/signs.ts';
import {
  believedSign,
  isCalm,
  isPausedBy,
  sleepinessOf,
  sleepinessReading,
} from '../../functions/sleep/rules/sleepiness.ts';
import { hasEnded, standingOf, type WindowFacts } from '../../functions/sleep/rules/standing.ts';
import { type Concerns, measurementOf, suspensionsOf } from '../../functions/sleep/rules/suspension.ts';
import { tonightOf } from '../../functions/sleep/rules/tonight.ts';
import { tonightTextOf } from '../../functions/sleep/rules/tonight-texts.ts';
import type { SleepWindow } from '../../functions/sleep/rules/window.ts';
import { currentRules as rules } from '../../functions/sleep/rules/window-rules.ts';
import { plainNight } from './nights.ts';

/** What makes a window safe where no physician looks: measurements, sleepiness, flags, the end of the entitlement. */

const now = new Date('2027-06-30T10:00:00.000Z');
const ago = (days: number, ms = 0) => new Date(now.getTime() - days * 86_400_000 - ms).toISOString();

const of = (days: number, value: number | null, isCorrection = false): Answered => ({
  ...{ completedAt: ago(days), writtenAt: ago(days) },
  ...{ isCorrection, value },
});

/** Written long before it arrived. */
const late = (days: number, writtenDays: number, value: number) => ({
  ...of(days, value),
  writtenAt: ago(writtenDays),
});

const corrected = (answered: Answered, value: number | null = answered.value): Corrected => ({
  ...answered,
  ...{ version: '2.0', corrected: { responseId: 'r', value } },
});

const window = (more: Partial<SleepWindow> = {}): SleepWindow & { readonly zone: string } => ({
  ...{ sequence: 1, minutes: 360, bedTime: '00:30', risingTime: '06:30', ruleVersion: '2', because: ['FIRST_WINDOW'] },
  week: { from: '2027-06-17', to: '2027-06-23', nights: 7, meanSleepMinutes: 360, efficiencyPercent: 80 },
  ...{ from: '2027-06-23', releasedAt: ago(7), proposalId: 'p', proposed: { minutes: 360, risingTime: '06:30' } },
  ...{ replaces: null, isWithdrawn: false, by: 'screening', screening: null, zone: 'Europe/Berlin' },
  ...{ startedOn: '2027-06-23', sleepyAt: null, lowMoodAt: null, excludedAt: null, sleepySuspensions: 0 },
  ...more,
});

const fine: Concerns = {
  ...{ measuredAt: ago(1), sleepyAt: null, depression: { value: 5, completedAt: ago(1) }, flag: null },
  screened: { responseId: 'r', version: '2.0', completedAt: ago(1), excluding: 0 },
  ...{ lowMoodAt: null, excludedAt: null },
};

describe('sleepiness', () => {
  test.each<[string, Answered[], string | null, object]>([
    ['nothing known', [], null, { measuredAt: null, sleepyAt: null }],
    ['sleepy, and no more', [of(1, 10)], null, { measuredAt: ago(1), sleepyAt: null }],
    ['too sleepy', [of(1, 11)], null, { measuredAt: ago(1), sleepyAt: ago(1) }],
    ['a correction upwards', [of(1, 11, true), of(2, 5)], null, { measuredAt: ago(2), sleepyAt: ago(1) }],
    ['a correction downwards', [of(1, 3, true), of(2, 11)], null, { measuredAt: ago(2), sleepyAt: ago(2) }],
    ['the latest sign', [of(1, 3), of(2, 11), of(9, 20)], null, { measuredAt: ago(1), sleepyAt: ago(2) }],
    ['the diary says so later', [of(2, 11)], ago(1), { measuredAt: ago(2), sleepyAt: ago(1) }],
    ['the diary says so earlier', [of(2, 11)], ago(3), { measuredAt: ago(2), sleepyAt: ago(2) }],
    ['only the diary', [], ago(3), { measuredAt: null, sleepyAt: ago(3) }],
    [
      'written before the sign, and sent after it',
      [late(1, 12, 4), of(5, 11)],
      null,
      { measuredAt: ago(5), sleepyAt: ago(5) },
    ],
    ['the answer that was written last', [late(1, 12, 4), of(3, 5)], null, { measuredAt: ago(3), sleepyAt: null }],
    ['only one, and late', [late(1, 12, 4)], null, { measuredAt: ago(12), sleepyAt: null }],
    ['a sign that arrives late', [late(1, 12, 11), of(3, 5)], null, { measuredAt: ago(3), sleepyAt: ago(1) }],
    ['an answer without a score is none', [of(1, null)], null, { measuredAt: null, sleepyAt: null }],
  ])('%s', (_case, versions, noddedOffAt, found) => {
    expect(sleepinessOf(versions, noddedOffAt, rules)).toEqual(found);
  });

  test('a window that says that it knew a sign of a time to come is paused by the next one all the same', () => {
    const window = { releasedAt: ago(3), sleepyAt: '9999-12-31T00:00:00.000Z' };
    expect([isPausedBy(window, ago(1)), isPausedBy({ ...window, sleepyAt: ago(3) }, ago(1))]).toEqual([true, true]);
    expect(isPausedBy({ ...window, sleepyAt: ago(3) }, ago(3))).toBe(false);
  });

  test.each<[string, string | null, string | null]>([
    ['there is none', null, null],
    ['it came', ago(3), ago(3)],
    ['it comes in the year 9999', '9999-01-01T00:00:00.000Z', '2027-06-30T10:00:00.000Z'],
    ['it is no time', '~', ago(0)],
  ])('a sign is believed where %s; what was planted counts as one of this hour', (_case, sign, believed) => {
    expect(believedSign(sign, new Date(now.getTime() + 1_234_567))).toBe(believed);
  });

  test.each([
    ['2026-11-3', '2026-11-29T12:34:56.000Z'],
    ['2026-11-28T10:00:00.001+23:59', '2026-11-29T12:34:56.000Z'],
    ['2026-12-1', '2026-12-04T12:34:56.000Z'],
  ])('%s, which stands behind later signs and reads as an earlier time, pauses as one of this hour', (sign, at) => {
    const realNow = new Date(at);
    const sleepyAt = believedSign(sign, realNow);
    expect(sleepyAt).toBe(at.replace('34:56', '00:00'));
    expect(isPausedBy({ releasedAt: '2026-11-20T12:00:00.000Z', sleepyAt: null }, sleepyAt)).toBe(true);
    expect(isCalm({ measuredAt: at, sleepyAt }, rules)).toBe(false);
  });

  test.each<[string, string | null, string | null, boolean]>([
    ['without a sign', null, null, true],
    ['without an answer', null, ago(9), false],
    ['with an answer of the next morning', ago(8), ago(9), false],
    ['a moment before three days', ago(6, 1), ago(9), false],
    ['three days later', ago(6), ago(9), true],
    ['with an answer from before', ago(12), ago(9), false],
  ])('is over: %s', (_case, measuredAt, sleepyAt, found) =>
    expect(isCalm({ measuredAt, sleepyAt }, rules)).toBe(found),
  );

  test.each<[string, Partial<SleepWindow>, string | null, boolean]>([
    ['no sign', {}, null, false],
    ['a later sign', {}, ago(2), true],
    ['a sign that the decision knew', { releasedAt: ago(2), sleepyAt: ago(2, 5) }, ago(2, 5), false],
    ['a later one than that', { releasedAt: ago(2), sleepyAt: ago(2, 5) }, ago(1), true],
    // A request that began before the release may have been written after the release read the answers.
    ['a sign of the same time that it did not know', { releasedAt: ago(7) }, ago(7, 1), true],
    ['a sign that it knew, of the same time', { sleepyAt: ago(7, 1) }, ago(7, 1), false],
    ['a sign of long before', {}, ago(8), false],
  ])('suspends a window: %s', (_case, more, sleepyAt, found) => expect(isPausedBy(window(more), sleepyAt)).toBe(found));

  const many = (days: readonly number[], value = 5) => days.map((each) => of(each, value));
  test.each<[string, Answered[], SleepWindow | null, boolean]>([
    ['back to the last decision', many([1, 2, 8]), window(), true],
    ['not so far back', many([1, 2, 6]), window(), false],
    ['three days before the latest answer, without a window', many([1, 2, 5]), null, true],
    ['not so far, without a window', many([1, 2, 3]), null, false],
    ['a sign says all', [...many([1]), of(2, 11)], window(), true],
    ['but not without an answer', [of(1, 11, true)], window(), false],
    ['not before what was written before the oldest', [late(1, 20, 5), of(12, 5, true)], window(), false],
    ['nor with a sign', [late(1, 20, 5), of(2, 11, true)], window(), false],
  ])('answers are read far enough: %s', (_case, versions, last, found) => {
    expect(saysAll(versions, last, sleepinessReading(rules))).toBe(found);
  });
});

describe('measurements', () => {
  test.each<[string, number | null, number | null, string[], string[]]>([
    ['both in time', 7, 28, ['answered', 'answered'], []],
    ['too old', 7.01, 28.01, ['due', 'due'], ['ess', 'phq-9']],
    ['never', null, null, ['not-answered', 'not-answered'], ['ess', 'phq-9']],
  ])('before a release: %s', (_case, sleepiness, mood, statuses, missing) => {
    const measured = {
      measuredAt: sleepiness === null ? null : ago(sleepiness),
      depression: mood === null ? null : { value: 3, completedAt: ago(mood) },
    };
    const found = measurementsOf(measured, rules, now);
    expect(found.map(({ status }) => status)).toEqual(statuses);
    expect(missingOf(found)).toEqual(missing);
  });

  const physicians = { by: 'physician' } as const;
  test.each<[string, Partial<SleepWindow>, string | null, string, ReleaseWay[]?]>([
    ['of 14 days', {}, ago(14), 'there'],
    ['older than 14 days', {}, ago(14, 1), 'due'],
    ['of 21 days', {}, ago(21), 'due'],
    ['older than 21 days', {}, ago(21, 1), 'missing'],
    ['never, since the release', { releasedAt: ago(22) }, null, 'missing'],
    ['of 14 days, a physician’s window where no physician looks', physicians, ago(14), 'there'],
    ['older than 14 days, such a window', physicians, ago(14, 1), 'due'],
    ['older than 21 days, such a window', physicians, ago(21, 1), 'missing'],
    ['a physician’s window needs none in a programme with one', physicians, ago(90), 'there', ['physician']],
    ['nor in two programmes', physicians, ago(90), 'there', ['screening', 'physician']],
    ['nor without a programme', physicians, ago(90), 'there', []],
    ['the patient’s own needs it in each programme', {}, ago(22), 'missing', ['physician']],
    ['a window of the first rules keeps them', { ruleVersion: '1' }, ago(90), 'there'],
  ])('while a window is followed: %s', (_case, more, measuredAt, found, ways = ['screening']) => {
    expect(measurementOf(window(more), { measuredAt }, { ways, now })).toBe(found);
  });
});

describe('what suspends a window', () => {
  const ways = ['screening'] as const;
  const physicians = { by: 'physician' } as const;
  test.each<[string, SleepWindow | null, Partial<Concerns>, string[]]>([
    ['nothing', window(), {}, []],
    ['a flag', window(), { flag: 'open' }, ['OPEN_FLAG']],
    ['a flag that somebody has seen', window(), { flag: 'seen' }, ['FLAG_SEEN']],
    ['a patient who was not reached', window(), { flag: 'not-reached' }, ['FLAG_NOT_REACHED']],
    ['a flag, without a window', null, { flag: 'open' }, ['OPEN_FLAG']],
    ['sleepiness', window(), { sleepyAt: ago(2) }, ['SLEEPINESS']],
    ['sleepiness that is over', window(), { sleepyAt: ago(5), measuredAt: ago(2) }, ['NOT_RESUMED']],
    ['sleepiness, without a window', null, { sleepyAt: ago(2) }, ['SLEEPINESS']],
    ['sleepiness that is over, without a window', null, { sleepyAt: ago(5), measuredAt: ago(2) }, []],
    ['sleepiness that a physician knew', window({ ...physicians, sleepyAt: ago(8) }), { sleepyAt: ago(8) }, []],
    ['the screening', window(), { screened: { ...fine.screened, excluding: 1 } as never }, ['SCREENING_EXCLUDES']],
    ['an old screening does not', window(), { screened: { ...fine.screened, completedAt: ago(90) } as never }, []],
    [
      'the screening, of a physician',
      window(physicians),
      { screened: { ...fine.screened, excluding: 1 } as never },
      [],
    ],
    ['a low mood', window(), { depression: { value: 20, completedAt: ago(1) } }, ['MOOD_NEEDS_PHYSICIAN']],
    ['a mood that is not so low', window(), { depression: { value: 19, completedAt: ago(1) } }, []],
    ['a low mood, of a physician', window(physicians), { depression: { value: 27, completedAt: ago(1) } }, []],
    ['a low mood of before, whatever came later', window(), { lowMoodAt: ago(2) }, ['MOOD_NEEDS_PHYSICIAN']],
    ['an exclusion of before, whatever came later', window(), { excludedAt: ago(2) }, ['SCREENING_EXCLUDES']],
    ['those that the release knew do not', window({ lowMoodAt: ago(7, 1) }), { lowMoodAt: ago(7, 1) }, []],
    ['those of the same time that it did not know', window(), { excludedAt: ago(7, 1) }, ['SCREENING_EXCLUDES']],
    ['nor those of a physician’s window', window(physicians), { lowMoodAt: ago(2), excludedAt: ago(2) }, []],
    ['no measurement', window(), { measuredAt: ago(22) }, ['MEASUREMENT_MISSING']],
    ['no measurement, of a physician', window(physicians), { measuredAt: ago(22) }, ['MEASUREMENT_MISSING']],
    ['a withdrawn one is none', window({ isWithdrawn: true }), { measuredAt: ago(22) }, []],
  ])('%s', (_case, last, more, found) => {
    const concerns = { ...fine, ...more };
    const current = last?.isWithdrawn ? null : last;
    expect(suspensionsOf(last, concerns, rules, { current, isEnded: false, ways, now })).toEqual(found);
  });

  test('nobody is asked for a measurement after the end', () => {
    const concerns = { ...fine, measuredAt: ago(90) };
    const at = { current: window(), isEnded: true, ways, now };
    expect(suspensionsOf(window(), concerns, rules, at)).toEqual([]);
  });
});

describe('mood and screening', () => {
  test.each<[string, Corrected[], object]>([
    ['nothing known', [], { depression: null, lowMoodAt: null }],
    ['low', [corrected(of(1, 20))], { depression: { value: 20, completedAt: ago(1) }, lowMoodAt: ago(1) }],
    ['not so low', [corrected(of(1, 19))], { depression: { value: 19, completedAt: ago(1) }, lowMoodAt: null }],
    [
      'a correction changes the value, and not that there was a sign',
      [corrected(of(1, 0, true)), corrected(of(2, 24), 0)],
      { depression: { value: 0, completedAt: ago(2) }, lowMoodAt: ago(2) },
    ],
    [
      'a low one that arrives late is a sign, and not the latest',
      [corrected(late(1, 9, 24)), corrected(of(2, 3))],
      { depression: { value: 3, completedAt: ago(2) }, lowMoodAt: ago(1) },
    ],
    ['without a score', [corrected(of(1, null))], { depression: null, lowMoodAt: null }],
  ])('mood: %s', (_case, versions, found) => expect(moodOf(versions, rules)).toEqual(found));

  const by = (completedAt: string, excluding: number | null) => ({
    ...{ responseId: 'r', version: '2.0' },
    ...{ completedAt, excluding },
  });
  test.each<[string, Corrected[], object]>([
    ['nothing known', [], { screened: null, excludedAt: null }],
    ['all no', [corrected(of(1, 0))], { screened: by(ago(1), 0), excludedAt: null }],
    ['written long ago', [corrected(late(1, 60, 0))], { screened: by(ago(60), 0), excludedAt: null }],
    ['excluded before', [corrected(of(1, 0)), corrected(of(2, 1))], { screened: by(ago(1), 0), excludedAt: ago(2) }],
    ['corrected', [corrected(of(1, 0, true)), corrected(of(2, 1), 0)], { screened: by(ago(2), 0), excludedAt: ago(2) }],
    ['without a result', [corrected(of(1, null))], { screened: by(ago(1), null), excludedAt: ago(1) }],
  ])('screening: %s', (_case, versions, found) => expect(screenedOf(versions)).toEqual(found));
});

const term = (from: number, to: number, programmeId = 'insomnia-self-guided') => ({
  programmeId,
  ...{ startsAt: ago(from), endsAt: ago(to) },
});

test.each<[string, ReturnType<typeof term>[], boolean]>([
  ['its entitlement goes on', [term(30, -60)], false],
  ['it has ended', [term(30, 1)], true],
  ['it ends now', [term(30, 0)], true],
  ['another one goes on', [term(30, 1), term(20, -60, 'insomnia-basic')], false],
  ['another one took over at once', [term(30, 1), term(1, -60)], false],
  ['another one came later', [term(30, 2), term(1, -60)], true],
  ['another one is of no programme', [term(30, 1), term(20, -60, 'other')], true],
  ['it had ended before a physician released the window', [term(90, 10)], false],
  ['there never was one', [], false],
  ['it never had any time', [term(5, 5)], false],
])('a window ends: %s', (_case, terms, found) => expect(hasEnded(window(), terms, now)).toBe(found));

const week = Array.from({ length: 7 }, (_, day) => plainNight(`2027-06-${24 + day}`));
const facts = (more: Partial<WindowFacts> = {}): WindowFacts => ({
  ...{ ...fine, last: window(), nights: week, zone: 'Europe/Berlin' },
  ...more,
});
const guided = [term(30, -60)];
const because = ({ releaser }: ReturnType<typeof standingOf>) => releaser.because;

describe('the next window', () => {
  const first = { because: ['FIRST_WINDOW'] };
  const next = { because: ['EFFICIENCY_BETWEEN'] };
  const sleepy = { sleepyAt: ago(5), measuredAt: ago(2) };
  test.each<[string, Partial<WindowFacts>, ReturnType<typeof term>[], object, string[], boolean]>([
    ['follows the one before', {}, guided, next, [], false],
    ['is a first one after sleepiness', sleepy, guided, first, [], true],
    [
      'needs a physician after the second suspension',
      { ...sleepy, last: window({ sleepySuspensions: 1 }) },
      guided,
      first,
      ['SLEEPY_AGAIN'],
      true,
    ],
    ['needs a physician after a low mood', { lowMoodAt: ago(2) }, guided, next, ['MOOD_NEEDS_PHYSICIAN'], false],
    ['needs a physician after an exclusion', { excludedAt: ago(2) }, guided, next, ['SCREENING_EXCLUDES'], false],
    ['is the patient’s after those of before', { excludedAt: ago(9), lowMoodAt: ago(9) }, guided, next, [], false],
    ['is a first one after the end', {}, [term(30, 1)], first, ['PROGRAMME_BY_PHYSICIAN'], true],
    ['is a first one with a later entitlement', {}, [term(30, 2), term(1, -60)], first, [], true],
  ])('%s', (_case, more, terms, proposal, reasons, isFirst) => {
    const standing = standingOf(facts(more), { terms: terms, isAdult: true }, now);
    expect(standing).toMatchObject({ outlook: { proposal }, isFirst });
    expect(because(standing)).toEqual(reasons);
  });

  test('says which sign of sleepiness its decision knew, and never an earlier one', () => {
    expect(standingOf(facts(sleepy), { terms: guided, isAdult: true }, now)).toMatchObject({
      sleepyAt: ago(5),
      sleepySuspensions: 1,
    });
    const known = { last: window({ sleepyAt: ago(40) }), sleepyAt: null };
    expect(standingOf(facts(known), { terms: guided, isAdult: true }, now)).toMatchObject({
      sleepyAt: ago(40),
      sleepySuspensions: 0,
    });
    const signs = { last: window({ lowMoodAt: ago(9) }), lowMoodAt: null, excludedAt: ago(2) };
    expect(standingOf(facts(signs), { terms: guided, isAdult: true }, now)).toMatchObject({
      lowMoodAt: ago(9),
      excludedAt: ago(2),
    });
  });
});

describe('tonight', () => {
  const paused = {
    en: 'Your sleep window is paused. Tonight go to bed when you are sleepy and stay in bed as long as before the therapy; you may keep your rising time. Do not drive or operate machines while you are sleepy. If you doze off by day, or for longer than a week, see a physician.',
    de: 'Ihr Schlaffenster ist pausiert. Gehen Sie heute Abend zu Bett, wenn Sie schläfrig sind, und bleiben Sie so lange im Bett wie vor der Therapie; Ihre Aufstehzeit können Sie beibehalten. Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind. Wenn Sie tagsüber einnicken oder wenn die Schläfrigkeit länger als eine Woche anhält, gehen Sie zu einer Ärztin oder einem Arzt.',
  };
  const first = 'We would like somebody to look at your answers first.';
  test.each<[string, Omit<Parameters<typeof tonightTextOf>[0], 'isOver'>, 'en' | 'de', unknown]>([
    ['active', { status: 'active', suspended: [] }, 'en', null],
    ['paused', { status: 'suspended', suspended: ['SLEEPINESS'] }, 'en', paused.en],
    ['paused, in German', { status: 'suspended', suspended: ['SLEEPINESS'] }, 'de', paused.de],
    ['a flag', { status: 'suspended', suspended: ['OPEN_FLAG'] }, 'en', `${first} ${paused.en}`],
    [
      'a flag, seen',
      { status: 'suspended', suspended: ['FLAG_SEEN'] },
      'en',
      expect.stringMatching(/^Somebody has seen/),
    ],
    ['ended', { status: 'ended', suspended: [] }, 'en', expect.stringContaining('15 minutes more each week')],
    ['ended, in German', { status: 'ended', suspended: [] }, 'de', expect.stringContaining('15 Minuten mehr')],
    ['ended while it was paused', { status: 'ended', suspended: ['SLEEPINESS'] }, 'en', paused.en],
    ['due', { status: 'measurement-due', suspended: [] }, 'de', expect.stringContaining('21 Tagen')],
  ])('%s', (_case, shown, to, found) => expect(tonightTextOf({ ...shown, isOver: false }, to)).toEqual(found));

  test('the times stay while a measurement is only due, and go when it is missing', () => {
    const at = (days: number) =>
      tonightOf(standingOf(facts({ measuredAt: ago(days) }), { terms: guided, isAdult: true }, now), 'en', now)
        ?.outOfBedAt;
    expect([at(14), at(15), at(22)]).toEqual(['2027-07-01T04:30:00.000Z', '2027-07-01T04:30:00.000Z', null]);
  });
});

test.each<[string, Partial<WindowFacts>, ReturnType<typeof term>[], unknown]>([
  ['nothing', { last: window({ releasedAt: ago(3), from: '2027-06-27' }) }, guided, ['active', []]],
  ['no window, and no diary', { last: null, nights: [], zone: null }, guided, null],
  ['the proposal', {}, guided, ['active', [['proposal-to-release', []]]]],
  ['the first proposal', { last: null }, guided, ['none', [['proposal-to-release', []]]]],
  ['nothing, where a physician releases', { last: null }, [term(30, -60, 'insomnia-basic')], null],
  [
    'screening and measurement',
    { screened: null, measuredAt: ago(9) },
    guided,
    [
      'active',
      [
        ['screening-due', ['sleep-window-screening']],
        ['measurement-due', ['ess']],
      ],
    ],
  ],
  ['a measurement', { measuredAt: ago(15), nights: [] }, guided, ['measurement-due', [['measurement-due', ['ess']]]]],
  [
    'paused without a measurement',
    { measuredAt: ago(22), nights: [] },
    guided,
    [
      'suspended',
      [
        ['paused', []],
        ['measurement-due', ['ess']],
      ],
    ],
  ],
  ['paused by a flag', { flag: 'open' }, guided, ['suspended', [['paused', []]]]],
  ['ended', {}, [term(30, 1)], ['ended', [['ended', []]]]],
])('the home screen: %s', (_case, more, terms, found) => {
  const shown = windowTasks(standingOf(facts(more), { terms: terms, isAdult: true }, now), 'en');
  const tasks = shown?.tasks.map(({ kind, questionnaireIds }) => [kind, questionnaireIds]);
  expect(shown && [shown.status, tasks]).toEqual(found);
  for (const { text } of shown?.tasks ?? []) expect(text).toMatch(/\.$/);
});
