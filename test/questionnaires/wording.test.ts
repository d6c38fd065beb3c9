import { expect, test } from 'vitest';
import { gateInstruments, gateProblems } from '../../functions/learning/rules/gates.ts';
import type { Bundle } from '../../functions/questionnaires/rules/bundle.ts';
import type { Definition } from '../../functions/questionnaires/rules/definition.ts';
import {
  languagesWithoutWording,
  versionWordingProblems,
  wordingProblems,
} from '../../functions/questionnaires/rules/wording.ts';
import { programmeContents } from '../../functions/sleep/rules/programmes.ts';
import { currentRules } from '../../functions/sleep/rules/window-rules.ts';
import { instrument, instruments } from './instruments.ts';

/** Instruments without wording, and what asks for them. */

const english: Definition = {
  ...instrument('phq-9'),
  items: instrument('phq-9').items.map((item) => ({ ...item, text: { en: item.text.en ?? '' } })),
};

test.each<[string, Definition | null, string[]]>([
  ['PHQ-9', instrument('phq-9'), []],
  ['GAD-7', instrument('gad-7'), []],
  ['ESS', instrument('ess'), ['en', 'de']],
  ['ISI', instrument('isi'), ['en', 'de']],
  ['PSQI', instrument('psqi'), ['en', 'de']],
  ['WHO-5', instrument('who-5'), ['en', 'de']],
  ['one that has English only', english, ['de']],
  ['one that is not published', null, ['en', 'de']],
])('in which languages the wording of %s is missing', (_case, definition, languages) => {
  expect(languagesWithoutWording(definition)).toEqual(languages);
});

test('a seed without wording shows marked placeholders in both languages, and no others do', () => {
  for (const name of instruments) {
    const { items, wording } = instrument(name);
    for (const { text } of items) {
      expect(/\(placeholder: the wording needs a licence\)$/.test(text.en ?? '')).toBe(wording === 'placeholder');
      expect(/\(Platzhalter: Der Wortlaut braucht eine Lizenz\)$/.test(text.de ?? '')).toBe(wording === 'placeholder');
    }
  }
});

const bundle: Bundle = {
  bundleId: 'b',
  title: { en: 'x' },
  questionnaireIds: ['phq-9', 'ess'],
  programmeId: 'insomnia-basic',
  windows: [{ windowId: 'a', fromDay: 0, toDay: 1 }],
};
const atWindow: Bundle = { ...bundle, programmeId: null, windows: [], anchor: 'window', everyDays: 7, openDays: 7 };
const always: Bundle = { ...bundle, programmeId: null, windows: [] };
const current = new Map([
  ['phq-9', instrument('phq-9')],
  ['ess', instrument('ess')],
]);
const problem = { path: 'questionnaireIds[1]', message: 'has no wording in en, de' };

test.each<['dev' | 'staging' | 'prod', string, Bundle, object[]]>([
  ['dev', 'a programme', bundle, []],
  ['staging', 'a programme', bundle, [problem]],
  ['prod', 'a programme', bundle, [problem]],
  ['prod', 'a sleep window', atWindow, [problem]],
  ['prod', 'everybody, at any time', always, []],
  ['prod', 'a programme, with wording', { ...bundle, questionnaireIds: ['phq-9'] }, []],
])('in %s, a bundle for %s', (environment, _case, given, found) => {
  expect(wordingProblems(environment, given, current)).toEqual(found);
});

test('a version without wording does not become the current one of a programme', () => {
  const all = [bundle, atWindow, always];
  const ess = instrument('ess');
  expect(versionWordingProblems('dev', ess, all)).toEqual([]);
  expect(versionWordingProblems('prod', ess, all)).toMatchObject([{ path: 'wording' }, { path: 'wording' }]);
  expect(versionWordingProblems('prod', english, all)).toMatchObject([{ path: 'items' }, { path: 'items' }]);
  expect(versionWordingProblems('prod', ess, [always])).toEqual([]);
  expect(versionWordingProblems('prod', instrument('phq-9'), all)).toEqual([]);
});

test('every programme has a gate, with each instrument that the rules of the sleep window name', () => {
  const named = Object.values(currentRules).flatMap((rule: unknown) =>
    typeof rule === 'object' && rule !== null && 'questionnaireId' in rule ? [rule.questionnaireId] : [],
  );
  expect(named).not.toEqual([]);
  for (const { gate } of Object.values(programmeContents)) expect(gate).toEqual(expect.arrayContaining(named));
  expect(gateInstruments).toContain('ess');
});

test('each programme that lacks the wording of its gate is named', () => {
  const worded = new Map(gateInstruments.map((id) => [id, instrument('phq-9')]));
  expect(gateProblems(worded)).toEqual([]);
  expect(gateProblems(new Map([...worded, ['ess', instrument('ess')]]))).toEqual(
    Object.keys(programmeContents).map((programmeId) => {
      return { programmeId, questionnaireId: 'ess', languages: ['en', 'de'] };
    }),
  );
});
