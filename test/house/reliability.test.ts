import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mostDevices } from '../../functions/devices/rules/device.ts';
import { dispatchPushes } from '../../functions/push/consumers.ts';
import { acknowledgements } from '../../lib/stack/acknowledgements.ts';
import { wildcards } from '../../lib/stack/wildcards.ts';
import { scenarios } from '../explorer/scenarios.ts';
import { neverRed, plantedFound, tableOf } from '../explorer/table.ts';
import { countCases, eventCases, pushCases } from '../faults/deliveries.ts';
import { functionCases } from '../faults/functions.ts';
import { keyCases } from '../faults/keys.ts';
import { matrix } from '../faults/matrix.ts';
import { cases } from '../hostile/cases/cases.ts';

const root = new URL('../..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const document = read('docs/reliability.md');

const count = {
  'reasons for which a finding is accepted': Object.keys({ ...acknowledgements, ...wildcards }).length,
  'hostile requests over raw sockets': Object.values(cases).flat().length,
  'fuzzed requests in `npm run test:deployed`': requestsIn('test/hostile/fuzz.test.ts'),
  'fuzzed requests in CI': requestsIn('test/hostile/fuzz.slow.test.ts'),
  'faults of a dependency, each on one route': matrix.length,
  "faults of the user pools' keys": keyCases.length,
  'faults of a function': functionCases.length,
  'faults behind the answer: pushes': pushCases.length,
  'faults behind the answer: events of consents': eventCases.length,
  'faults behind the answer: counts of tickets': countCases.length,
};

test.each(Object.entries(count))('docs/reliability.md says the number of %s', (what, number) => {
  const [, said] =
    document
      .split('\n')
      .find((line) => line.startsWith(`| ${what} |`))
      ?.split(' | ') ?? [];
  expect(said).toBe(String(number));
});

test('one batch makes no more messages for devices than docs/reliability.md says', () => {
  expect(document).toContain(`a batch makes at most ${dispatchPushes.batchSize * mostDevices} messages`);
});

test('docs/reliability.md has a row for each scenario, with the number of its promises', () => {
  const rows = document.split('\n').filter((line) => /^\| [a-z-]+ \| `[a-z-]+` \|/.test(line));
  expect(rows).toEqual(tableOf(scenarios));
});

test('docs/reliability.md says how many planted faults are found, and which are not', () => {
  const { found, all, open } = plantedFound();
  expect(all).toBe(40);
  const [, said, names = ''] =
    /Of the forty faults (\d+) are found\. Not found: ([^.]*)\./.exec(document.replaceAll('\n', ' ')) ?? [];
  expect(Number(said)).toBe(found);
  expect([...names.matchAll(/\d+/g)].map(([number]) => number)).toEqual(open);
});

test('docs/reliability.md lists the promises that no planted fault has broken', () => {
  const { rows, never, all } = neverRed(scenarios);
  const [, section = ''] = document.split('### Promises that no planted fault has broken\n');
  const [own = ''] = section.split('\n## ');
  expect(own).toContain(`${never} of the ${all} promises`);
  expect(
    own
      .split('\n')
      .filter((line) => /^\| [a-z-]+ \|/.test(line))
      .slice(2),
  ).toEqual(rows);
});

test('the file of each figure is there', () => {
  const files = [...document.matchAll(/`((?:test|lib)\/[\w./-]+)`/g)].map(([, file]) => file ?? '');
  expect(files.length).toBeGreaterThan(10);
  for (const file of files.filter((each) => each.endsWith('.ts'))) expect(read(file), file).not.toBe('');
});

/** `requests: 600`, or what stands behind the variable's `??`. */
function requestsIn(path: string): number {
  const [, number = ''] = /(?:requests: |FUZZ_REQUESTS \?\? )([\d_]+)/.exec(read(path)) ?? [];
  return Number(number.replaceAll('_', ''));
}
