import { describe, expect, test } from 'vitest';
import type { Item } from '../../functions/questionnaires/rules/definition.ts';
import { flagsOf, scoresOf } from '../../functions/questionnaires/rules/scoring.ts';
import { waysOf } from '../../functions/sleep/rules/programmes.ts';
import { type Release, type Releaser, releaserOf, type Screened } from '../../functions/sleep/rules/release.ts';
import { currentRules as rules } from '../../functions/sleep/rules/window-rules.ts';
import { instrument } from '../questionnaires/instruments.ts';
import { screening, screeningAnswers } from './screening.ts';

/** Who releases a sleep window. */

const now = new Date('2027-06-30T10:00:00.000Z');
const daysBefore = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

const screened = (more: Partial<Screened> = {}): Screened => ({
  responseId: 'r',
  version: '2.0',
  completedAt: daysBefore(1),
  excluding: 0,
  ...more,
});

const allowed: Release = {
  ...{ ways: ['screening'], screened: screened(), isAdult: true, isWithdrawn: false, minutes: 360 },
  ...{ missing: [], depression: 19, sleepySuspensions: 1, held: [] },
};
const free = { by: 'screening', because: [] };
const needed = { by: 'screening', because: ['SCREENING_NEEDED'] };
const physician = (...because: string[]) => ({ by: 'physician', because });

describe('who releases a window', () => {
  test.each<[string, Partial<Release>, object]>([
    ['the patient, where nothing speaks against it', {}, free],
    ['the patient, of one as short as the rules allow', { minutes: 300 }, free],
    ['the patient, of one as long as they allow', { minutes: 540 }, free],
    ['nobody yet, where nothing is proposed', { minutes: null }, free],
    ['a physician, where no programme is unlocked', { ways: [] }, physician('PROGRAMME_BY_PHYSICIAN')],
    ['a physician, where the programme says so', { ways: ['physician'] }, physician('PROGRAMME_BY_PHYSICIAN')],
    ['a physician, where one of two does', { ways: ['screening', 'physician'] }, physician('PROGRAMME_BY_PHYSICIAN')],
    ['a physician, of somebody below 18 or of no known age', { isAdult: false }, physician('UNDER_AGE')],
    [
      'a physician, of whatever age, where the programme says so',
      { isAdult: false, ways: ['screening', 'physician'] },
      physician('PROGRAMME_BY_PHYSICIAN'),
    ],
    ['a physician, after one took a window back', { isWithdrawn: true }, physician('WITHDRAWN_BY_PHYSICIAN')],
    ['a physician, below five hours', { minutes: 295 }, physician('BEYOND_BOUNDS')],
    ['a physician, above nine hours', { minutes: 545 }, physician('BEYOND_BOUNDS')],
    [
      'a physician, after an excluding answer',
      { screened: screened({ excluding: 1 }) },
      physician('SCREENING_EXCLUDES'),
    ],
    [
      'a physician, where there is no result',
      { screened: screened({ excluding: null }) },
      physician('SCREENING_EXCLUDES'),
    ],
    // An old exclusion does not pass by itself.
    [
      'a physician, after an excluding answer of long ago',
      { screened: screened({ excluding: 1, completedAt: daysBefore(400), version: '0.9' }) },
      physician('SCREENING_EXCLUDES'),
    ],
    ['a physician, where mood is that low', { depression: 20 }, physician('MOOD_NEEDS_PHYSICIAN')],
    [
      'a physician, where mood was that low since',
      { held: ['MOOD_NEEDS_PHYSICIAN'] },
      physician('MOOD_NEEDS_PHYSICIAN'),
    ],
    [
      'a physician, where an answer excluded it since',
      { held: ['SCREENING_EXCLUDES'] },
      physician('SCREENING_EXCLUDES'),
    ],
    ['the patient, where mood was never asked and is not needed', { depression: null }, free],
    ['a physician, after sleepiness suspended two', { sleepySuspensions: 2 }, physician('SLEEPY_AGAIN')],
    ['a questionnaire is needed', { missing: ['ess'] }, { by: 'screening', because: ['MEASUREMENT_NEEDED'] }],
    [
      'both are needed',
      { missing: ['ess', 'phq-9'], screened: null },
      { by: 'screening', because: ['SCREENING_NEEDED', 'MEASUREMENT_NEEDED'] },
    ],
    ['a physician needs no questionnaire', { missing: ['ess'], ways: [] }, physician('PROGRAMME_BY_PHYSICIAN')],
    ['the screening is needed', { screened: null }, needed],
    ['the screening of another version does not count', { screened: screened({ version: '1.0' }) }, needed],
    ['that of 28 days ago counts', { screened: screened({ completedAt: daysBefore(28) }) }, free],
    ['that of more does not', { screened: screened({ completedAt: daysBefore(28.001) }) }, needed],
    [
      'each reason is named',
      { ways: [], isWithdrawn: true, minutes: 285, screened: screened({ excluding: 2 }) },
      physician('PROGRAMME_BY_PHYSICIAN', 'WITHDRAWN_BY_PHYSICIAN', 'BEYOND_BOUNDS', 'SCREENING_EXCLUDES'),
    ],
  ])('%s', (_case, more, found) => {
    expect(releaserOf({ ...allowed, ...more }, rules, now)).toEqual<unknown>(found);
  });

  test.each<[string[], string[]]>([
    [['insomnia-basic'], ['physician']],
    [['insomnia-self-guided'], ['screening']],
    [
      ['insomnia-self-guided', 'insomnia-basic'],
      ['screening', 'physician'],
    ],
    [['constructor'], ['physician']],
    [[], []],
  ])('programmes %j say %j', (programmeIds, ways) => expect(waysOf(programmeIds)).toEqual(ways));
});

describe('the screening', () => {
  const items = screening.items.filter(({ type }) => type === 'choice');
  const byAnswers = (answers: ReturnType<typeof screeningAnswers>): Releaser => {
    const [result] = scoresOf(screening, answers);
    return releaserOf({ ...allowed, screened: screened({ excluding: result?.value ?? null }) }, rules, now);
  };

  test('is the one that the rules name, and always asks for each of these', () => {
    expect([screening.questionnaireId, screening.version]).toEqual([
      rules.screening.questionnaireId,
      rules.screening.version,
    ]);
    expect(items.map(({ linkId }) => linkId)).toEqual([
      'mania',
      'seizures',
      'parasomnia',
      'sleep-apnoea',
      'driving-or-machinery',
      'pregnancy',
      'shifts',
      'psychosis',
      'dependence',
      'frailty',
      'phq9-9',
    ]);
    expect(items.every(({ required, enableWhen }) => required && !enableWhen)).toBe(true);
    for (const { text } of items.slice(0, -1))
      expect([text.en, text.de]).toEqual([expect.stringMatching(/\?$/), expect.stringMatching(/\.$|\?$/)]);
  });

  test('the last question is item 9 of the PHQ-9, word by word, with its four answers and its introduction', () => {
    const { items: published, flags } = instrument('phq-9');
    const words = (all: readonly Item[], linkId: string) => {
      const { text, options = [] } = all.find((each) => each.linkId === linkId) ?? {};
      return { text, options: options.map(({ value, text: said }) => ({ value, said })) };
    };
    expect(words(screening.items, 'phq9-9')).toEqual(words(published, 'phq9-9'));
    expect(screening.items.slice(-2).map(({ text }) => text)).toEqual([
      words(published, 'intro').text,
      words(published, 'phq9-9').text,
    ]);
    expect(screening.flags).toEqual(flags);
  });

  test.each(['1', '2', '3'])('item 9 answered %s raises the flag', (choice) => {
    const answers = screeningAnswers({ 'phq9-9': choice });
    expect(flagsOf(screening, answers, scoresOf(screening, answers))).toEqual(['self-harm']);
  });

  test('answers of no lead to the patient, and raise no flag', () => {
    expect(byAnswers(screeningAnswers())).toEqual(free);
    expect(flagsOf(screening, screeningAnswers(), scoresOf(screening, screeningAnswers()))).toEqual([]);
  });

  const excluding = items.flatMap(({ linkId, options = [] }) => options.slice(1).map(({ value }) => [linkId, value]));
  test.each(excluding)('%s answered %s leads to the physician', (linkId = '', choice = '') => {
    expect(byAnswers(screeningAnswers({ [linkId]: choice }))).toEqual(physician('SCREENING_EXCLUDES'));
  });

  test.each(items.map(({ linkId }) => linkId))('without an answer to %s it has no result', (linkId) => {
    const answers = screeningAnswers().filter((answer) => answer.linkId !== linkId);
    expect(byAnswers(answers)).toEqual(physician('SCREENING_EXCLUDES'));
  });
});
