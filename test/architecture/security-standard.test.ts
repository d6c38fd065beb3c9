import { describe, expect, test } from 'vitest';
import { standard, standardProblems } from '../../bin/security-standard.ts';

const source = "describe('all', () => { test('it holds', () => {}); test.skip('it is skipped', () => {}); });";
const read = (path: string) => (path === 'test/one.test.ts' ? source : null);
const test1 = '`test/one.test.ts` › all › it holds';
const clients = '[clients](../clients.md#browsers)';

/** What is said of rows, without that there are too few. */
const said = (...rows: string[]) =>
  standardProblems(rows.join('\n'), read).flatMap((problem) => (/ of \d+ of level/.test(problem) ? [] : [problem]));

describe('a row', () => {
  test.each([
    ['met by a test', `| V1.1.1 | 1 | met | So. | ${test1} |`],
    ['met by a page', `| V1.1.1 | 1 | met | So. | ${clients} |`],
    ['of an operator', `| V1.1.1 | 2 | operator | So. | ${clients} |`],
    ['that deviates', '| V1.1.1 | 1 | deviates | So. |  |'],
    ['that does not apply', '| V1.1.1 | 1 | not applicable | So. |  |'],
    ['that is open at level 3', '| V1.1.1 | 3 | open | So. | costs days |'],
  ])('%s is right', (_name, row) => {
    expect(said(row)).toEqual([]);
  });

  test.each([
    ['met by nothing', '| V1.1.1 | 1 | met | So. |  |'],
    ['of a client without a page', `| V1.1.1 | 1 | client | So. | ${test1} |`],
    ['without an answer', `| V1.1.1 | 1 | met |  | ${test1} |`],
    ['open at level 2', '| V1.1.1 | 2 | open | So. | costs days |'],
    ['partly met at level 1', `| V1.1.1 | 1 | partly | So. | costs days<br>${test1} |`],
    ['open at level 3 without its cost', '| V1.1.1 | 3 | open | So. |  |'],
    ['of no status', `| V1.1.1 | 1 | done | So. | ${test1} |`],
    ['met by a test that is skipped', '| V1.1.1 | 1 | met | So. | `test/one.test.ts` › all › it is skipped |'],
    ['met by a file that is not there', '| V1.1.1 | 1 | met | So. | `test/two.test.ts` › all › it holds |'],
    ['met by words', '| V1.1.1 | 1 | met | So. | we are sure |'],
  ])('%s is wrong', (_name, row) => {
    expect(said(row)).toHaveLength(1);
  });

  test('stands behind the one before it, by its numbers, and once', () => {
    const row = (id: string) => `| ${id} | 1 | met | So. | ${test1} |`;
    expect(said(row('V1.2.9'), row('V1.2.10'), row('V2.1.1'))).toEqual([]);
    expect(said(row('V1.2.10'), row('V1.2.9'))).toHaveLength(1);
    expect(said(row('V1.2.9'), row('V1.2.9'))).toHaveLength(1);
  });
});

test('a requirement that is missing is counted', () => {
  expect(standardProblems('', read)).toEqual([
    `${standard}: 0 of 70 of level 1`,
    `${standard}: 0 of 183 of level 2`,
    `${standard}: 0 of 92 of level 3`,
  ]);
});
