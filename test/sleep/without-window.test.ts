import { describe, expect, test } from 'vitest';
import { windowTasks } from '../../functions/sleep/rules/home-task.ts';
import { standingOf, type WindowFacts } from '../../functions/sleep/rules/standing.ts';
import { tonightOf } from '../../functions/sleep/rules/tonight.ts';
import type { SleepWindow } from '../../functions/sleep/rules/window.ts';
import { plainNight } from './nights.ts';

/** What a patient reads who has no sleep window, and something speaks against one; and when an answer can end that. */

const now = new Date('2027-06-30T10:00:00.000Z');
const ago = (days: number, ms = 0) => new Date(now.getTime() - days * 86_400_000 - ms).toISOString();

const term = (from: number, to: number, programmeId = 'insomnia-self-guided') => ({
  programmeId,
  ...{ startsAt: ago(from), endsAt: ago(to) },
});
const guided = [term(10, -60)];

const old: SleepWindow & { readonly zone: string } = {
  ...{ sequence: 1, minutes: 360, bedTime: '00:30', risingTime: '06:30', ruleVersion: '2', because: ['FIRST_WINDOW'] },
  week: { from: '2027-05-02', to: '2027-05-08', nights: 7, meanSleepMinutes: 360, efficiencyPercent: 80 },
  ...{ from: '2027-05-08', releasedAt: ago(50), proposalId: 'p', proposed: { minutes: 360, risingTime: '06:30' } },
  ...{ replaces: null, isWithdrawn: false, by: 'screening', screening: null, zone: 'Europe/Berlin' },
  ...{ startedOn: '2027-05-08', sleepyAt: null, lowMoodAt: null, excludedAt: null, sleepySuspensions: 0 },
};

const standing = (more: Partial<WindowFacts>, terms = guided) => {
  const facts: WindowFacts = {
    ...{ measuredAt: ago(1), sleepyAt: null, depression: { value: 5, completedAt: ago(1) }, flag: null },
    screened: { responseId: 'r', version: '2.0', completedAt: ago(1), excluding: 0 },
    ...{ lowMoodAt: null, excludedAt: null, last: null, nights: [], zone: null },
    ...more,
  };
  return standingOf(facts, { terms, isAdult: true }, now);
};

const careful = {
  en: 'Do not drive or operate machines while you are sleepy. If you doze off by day, or for longer than a week, see a physician.',
  de: 'Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind. Wenn Sie tagsüber einnicken oder wenn die Schläfrigkeit länger als eine Woche anhält, gehen Sie zu einer Ärztin oder einem Arzt.',
};
const none = {
  en: `You have no sleep window at present. Tonight go to bed when you are sleepy. ${careful.en}`,
  de: `Sie haben zurzeit kein Schlaffenster. Gehen Sie heute Abend zu Bett, wenn Sie schläfrig sind. ${careful.de}`,
};
const first = {
  en: 'We would like somebody to look at your answers first.',
  de: 'Wir möchten, dass sich zuerst jemand Ihre Antworten ansieht.',
};
const seen = {
  en: 'Somebody has seen your answers.',
  de: 'Jemand hat Ihre Antworten gesehen.',
};
const lost = {
  en: 'We could not reach you about your answers. Please call your physician or a helpline.',
  de: 'Wir konnten Sie wegen Ihrer Antworten nicht erreichen. Bitte rufen Sie Ihre Ärztin, Ihren Arzt oder ein Krisentelefon an.',
};
const sleepy = { sleepyAt: ago(1), measuredAt: ago(1) };

describe('tonight without a window', () => {
  test.each<[string, Partial<WindowFacts>, Record<'en' | 'de', string> | null]>([
    ['nothing speaks against one', {}, null],
    ['too sleepy', sleepy, none],
    ['a flag', { flag: 'open' }, { en: `${first.en} ${none.en}`, de: `${first.de} ${none.de}` }],
    ['a flag, seen', { flag: 'seen' }, { en: `${seen.en} ${none.en}`, de: `${seen.de} ${none.de}` }],
    ['a flag, not reached', { flag: 'not-reached' }, { en: `${lost.en} ${none.en}`, de: `${lost.de} ${none.de}` }],
  ])('%s', (_case, more, found) => {
    for (const to of ['en', 'de'] as const) {
      const text = found && { inBedAt: null, outOfBedAt: null, text: found[to] };
      expect(tonightOf(standing(more), to, now)).toEqual(text);
    }
  });

  test.each(['open', 'seen', 'not-reached'] as const)('a window says once that it is paused: %s', (flag) => {
    const last = { ...old, releasedAt: ago(7), from: '2027-06-23' };
    expect(tonightOf(standing({ last, flag }), 'en', now)?.text?.match(/paused/g)).toHaveLength(1);
    expect(tonightOf(standing({ last, flag }), 'de', now)?.text?.match(/pausiert/g)).toHaveLength(1);
  });
});

describe('the home screen without a window', () => {
  const tasks = (more: Partial<WindowFacts>, terms = guided) => {
    const shown = windowTasks(standing(more, terms), 'en');
    return shown && [shown.status, ...shown.tasks.map(({ kind, questionnaireIds }) => [kind, ...questionnaireIds])];
  };
  const ess = ['measurement-due', 'ess'];

  test.each<[string, Partial<WindowFacts>, ReturnType<typeof term>[], unknown]>([
    ['too sleepy', sleepy, guided, ['none', ['paused']]],
    ['too sleepy, in a programme with a physician', sleepy, [term(10, -60, 'insomnia-basic')], ['none', ['paused']]],
    ['too sleepy, in no programme', sleepy, [], null],
    ['a moment before three days', { ...sleepy, sleepyAt: ago(3, -1) }, guided, ['none', ['paused']]],
    ['after three days', { ...sleepy, sleepyAt: ago(3) }, guided, ['none', ['paused'], ess]],
    ['who nodded off, and never answered', { sleepyAt: ago(9), measuredAt: null }, guided, ['none', ['paused'], ess]],
    ['who answered too soon', { sleepyAt: ago(4), measuredAt: ago(2) }, guided, ['none', ['paused'], ess]],
    ['who answered in time', { sleepyAt: ago(4), measuredAt: ago(1) }, guided, null],
    ['a flag', { flag: 'open' }, guided, ['none', ['paused']]],
  ])('%s', (_case, more, terms, found) => expect(tasks(more, terms)).toEqual(found));

  test('says what tonight says, and for what the questionnaire is', () => {
    const shown = windowTasks(standing({ ...sleepy, sleepyAt: ago(3) }), 'de')?.tasks.map(({ text }) => text);
    expect(shown).toEqual([none.de, expect.stringContaining('jetzt den Fragebogen zur Tagesschläfrigkeit')]);
  });

  const last = { ...old, releasedAt: ago(7), from: '2027-06-23' };
  test.each<[string, number, unknown]>([
    ['a paused window names the questionnaire after three days', 3, ['suspended', ['paused'], ess]],
    ['not before', 2.9, ['suspended', ['paused']]],
  ])('%s', (_case, days, found) => expect(tasks({ last, sleepyAt: ago(days) })).toEqual(found));
});

describe('a later programme, after the window has ended', () => {
  const renewed = [term(60, 20), term(1, -60)];
  const nights = Array.from({ length: 7 }, (_, day) => plainNight(`2027-06-${24 + day}`));
  const facts: Partial<WindowFacts> = { last: old, nights, zone: 'Europe/Berlin' };

  test('there is no window: the next one is a first one', () => {
    expect(standing(facts, renewed)).toMatchObject({
      ...{ status: 'none', current: null, suspended: [], isFirst: true },
      outlook: { proposal: { because: ['FIRST_WINDOW'] } },
    });
    expect(tonightOf(standing(facts, renewed), 'en', now)?.text).toBe(
      `Your last sleep window ended with your earlier programme. ${none.en}`,
    );
    expect(windowTasks(standing(facts, renewed), 'en')?.tasks).toMatchObject([{ kind: 'proposal-to-release' }]);
  });

  test.each<[string, ReturnType<typeof term>[], string]>([
    ['before it begins', [term(60, 20), term(-1, -60)], 'ended'],
    ['of something that is no programme', [term(60, 20), term(1, -60, 'other')], 'ended'],
    ['that has ended, too', [term(60, 20), term(10, 1)], 'ended'],
  ])('%s it stays ended', (_case, terms, status) => expect(standing(facts, terms).status).toBe(status));

  test('an old sign of sleepiness speaks against the next one, and pauses nothing', () => {
    const found = standing({ ...facts, sleepyAt: ago(30), measuredAt: ago(29) }, renewed);
    expect([found.status, found.suspended, found.blocking.screening]).toEqual(['none', ['SLEEPINESS'], ['SLEEPINESS']]);
    expect(tonightOf(found, 'en', now)?.text).not.toContain('paused');
    const calm = standing({ ...facts, sleepyAt: ago(30), measuredAt: ago(1) }, renewed);
    expect([calm.status, calm.suspended]).toEqual(['none', []]);
  });
});
