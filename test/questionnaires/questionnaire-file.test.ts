import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dryRun, readBundles, readDefinition } from '../../functions/questionnaires/jobs/questionnaire-file.ts';
import { phq9 } from './instruments.ts';

/** What `npm run publish-questionnaires` reads, and what its dry run says. */

const seed = (name: string) =>
  readFileSync(new URL(`../../functions/questionnaires/seed/${name}.json`, import.meta.url), 'utf8');

test('a dry run shows scores, bands, flags and what is missing', () => {
  const definition = readDefinition(seed('phq-9'));
  expect(dryRun(definition, JSON.stringify(phq9(1)))).toEqual([
    ...['total: 9 (mild)', 'raises self-harm', 'can be completed'],
  ]);
  expect(dryRun(definition, '[]')).toEqual(['total: none', 'cannot be completed without phq9-9']);
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

test('the seed has a bundle at the start and at day 42, and one that is always open', () => {
  expect(readBundles(seed('bundles')).map(({ programmeId, windows }) => [programmeId, windows])).toEqual([
    [
      'insomnia-basic',
      [
        { windowId: 'start', fromDay: 0, toDay: 7 },
        { windowId: 'day-42', fromDay: 42, toDay: 49 },
      ],
    ],
    [null, []],
  ]);
});
