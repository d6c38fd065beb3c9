import { describe, expect, test } from 'vitest';
import { pageProblems, safety, specification } from '../../bin/check-spec.ts';
import { titlesIn } from '../../bin/proofs.ts';

const source = `
describe('200', () => {
  test('it works', () => {});
  test.each([
    ['a case', 1],
    [
      'a long case',
      2,
    ],
  ])('with %s', () => {});
});
test.skip('it is skipped', () => {});
test.todo('it is planned');
test("one user's", () => {});
test('a | b', () => {});
`;

function problems(...rows: string[]): string[] {
  return pageProblems(specification, rows.join('\n'), (path) => (path === 'test/one.test.ts' ? source : null));
}

test('titlesIn reads describes, tests and cases, but nothing that does not run', () => {
  expect([...titlesIn(source)].toSorted()).toEqual(
    ['200', 'it works', 'a case', 'a long case', 'with %s', "one user's", 'a | b'].toSorted(),
  );
});

describe('a row is held', () => {
  test.each([
    '| S1 | It works. | `test/one.test.ts` › it works |',
    '| S1 | It works. | `test/one.test.ts` › 200 › it works |',
    '| S1 | It works. | `test/one.test.ts` › 200 › with %s › a long case |',
    "| S1 | It works. | `test/one.test.ts` › it works<br>`test/one.test.ts` › one user's |",
    '| S1 | a \\| b | `test/one.test.ts` › a \\| b |',
  ])('%s', (row) => expect(problems('# Title', '', '| no | sentence | test |', '|---|---|---|', row)).toEqual([]));
});

describe('a row fails', () => {
  test.each([
    ['| S1 | It works. |', 'a row has a number and sentence, tests'],
    ['| S1 | It works. |  |', 'S1: names no test'],
    ['| S1 | It works. | — |', 'S1: names no test'],
    ['| S1 | It works. | — later: a domain to come |', 'S1: names no test'],
    ['| S1 | It works. | — never: why not |', 'S1: names no test'],
    ['| S1 | It works. | it works |', 'S1: names no test'],
    ['| S1 | It works. | `test/one.test.ts` |', 'S1: names no test'],
    ['| S1 | It works. | `test/two.test.ts` › it works |', 'S1: there is no test/two.test.ts'],
    ['| S1 | It works. | `test/one.test.ts` › it flies |', 'S1: test/one.test.ts has no "it flies" that runs'],
    ['| S1 | It works. | `test/one.test.ts` › 404 › it works |', 'S1: test/one.test.ts has no "404" that runs'],
    [
      '| S1 | It works. | `test/one.test.ts` › it is skipped |',
      'S1: test/one.test.ts has no "it is skipped" that runs',
    ],
    ['| S1 | It works. | `test/one.test.ts` › it works<br>later |', 'S1: names no test'],
    ['| S1 |  | `test/one.test.ts` › it works |', 'S1 has no sentence'],
    ['| S2 | It works. | `test/one.test.ts` › it works |', 'S2 should be S1'],
  ])('%s', (row, problem) => expect(problems(row)).toEqual([`docs/spec.md:1: ${problem}`]));

  test('as does a table without rows', () => expect(problems('# Title')).toEqual(['docs/spec.md: has no rows']));
});

test('a row of the hazard log has all its cells, and its tests exist', () => {
  const hazards = (row: string) =>
    pageProblems(safety, row, (path) => (path === 'test/one.test.ts' ? source : null)).map((problem) =>
      problem.replace('docs/safety.md:1: ', ''),
    );
  expect(hazards('| H1 | harm | cause | rule | `test/one.test.ts` › it works | a duty |')).toEqual([]);
  expect(hazards('| H1 | harm | | rule | `test/one.test.ts` › it flies | |')).toEqual([
    'H1 has no cause',
    'H1 has no duty of the manufacturer',
    'H1: test/one.test.ts has no "it flies" that runs',
  ]);
});
