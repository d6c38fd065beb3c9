import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dryRun, readBundles, readDefinition } from '../../functions/questionnaires/jobs/questionnaire-file.ts';
import { phq9 } from './instruments.ts';

/** What `npm run cli -- publish-content` reads, and what its dry run says. */

const seed = (name: string) =>
  readFileSync(new URL(`../../functions/questionnaires/seed/${name}.json`, import.meta.url), 'utf8');

test('a dry run shows scores, bands, flags and what is missing', () => {
  const definition = readDefinition(seed('phq-9'));
  expect(dryRun(definition, JSON.stringify(phq9(1)))).toEqual([
    ...['total: 9 (mild)', 'raises self-harm', 'can be completed'],
  ]);
  const nine = phq9().map(({ linkId }) => linkId);
  expect(dryRun(definition, '[]')).toEqual(['total: none', `cannot be completed without ${nine.join(', ')}`]);
});

test('an invalid file lists all its problems', () => {
  const changed = { ...JSON.parse(seed('phq-9')), flags: [{ code: 'f' }] };
  expect(() => readDefinition(JSON.stringify(changed))).toThrow(
    'flags[0] must name one item that counts, or one score\nflags[0] must have a bound',
  );
  expect(() => readDefinition('{}')).toThrow();
  expect(() => dryRun(readDefinition(seed('phq-9')), '[{"linkId":"none","boolean":true}]')).toThrow(
    'answers[0].linkId',
  );
});

/** On which days each questionnaire is due, from the start of a programme. */
function daysIn(programme: string) {
  const bundles = readBundles(seed('bundles')).filter(({ programmeId }) => programmeId === programme);
  const found = bundles.flatMap(({ questionnaireIds, windows }) =>
    questionnaireIds.flatMap((id) => windows.map(({ fromDay }) => ({ id, fromDay }))),
  );
  const byId = Map.groupBy(found, ({ id }) => id);
  return Object.fromEntries([...byId].map(([id, all]) => [id, all.map(({ fromDay }) => fromDay)]));
}

test('the seed asks for what the rules of the sleep window need, in both programmes', () => {
  const common = { 'phq-9': [0], isi: [0, 42, 84], ess: [0] };
  expect(daysIn('insomnia-basic')).toEqual({ ...common, 'gad-7': [0, 42] });
  expect(daysIn('insomnia-self-guided')).toEqual(common);
  const others = readBundles(seed('bundles')).filter(({ programmeId }) => programmeId === null);
  expect(
    others.map(({ questionnaireIds, anchor, everyDays, openDays }) => [questionnaireIds, anchor, everyDays, openDays]),
  ).toEqual([
    [['phq-9'], 'window', 14, 7],
    [['ess'], 'window', 7, 7],
    [['who-5'], undefined, undefined, undefined],
  ]);
});
