import { readFileSync } from 'node:fs';
import { rowsOf, testProblems } from './proofs.ts';
import { standard, standardProblems } from './security-standard.ts';

/**
 * Checks the pages whose rows name tests: each row has a number, some cells of text, and the tests that prove it,
 * `| S1 | sentence | <code>test/x.test.ts</code> › describe › test |`, several of them separated by `<br>`.
 */

export type Page = {
  readonly path: string;
  /** Of the rows' numbers. */
  readonly letter: string;
  /** The cells after the number, and which of them names the tests. */
  readonly cells: readonly string[];
  readonly tests: number;
};

export const specification: Page = { path: 'docs/spec.md', letter: 'S', cells: ['sentence', 'tests'], tests: 1 };

/** The hazard log. */
export const safety: Page = {
  path: 'docs/safety.md',
  letter: 'H',
  cells: ['hazard', 'cause', 'control', 'tests', 'duty of the manufacturer'],
  tests: 3,
};

/** @param readTest returns the source of a test file, or null if there is none */
export function pageProblems(page: Page, text: string, readTest: (path: string) => string | null): string[] {
  const { path, letter, cells: names } = page;
  const rows = rowsOf(text, letter);
  if (rows.length === 0) return [`${path}: has no rows`];
  return rows.flatMap(({ line, cells: [id = '', ...cells] }, index) => {
    const at = `${path}:${line}`;
    if (cells.length !== names.length) return [`${at}: a row has a number and ${names.join(', ')}`];
    const number = `${letter}${index + 1}`;
    const empty = names.filter((_name, cell) => cells[cell] === '' && cell !== page.tests);
    return [
      ...(id === number ? [] : [`${at}: ${id} should be ${number}`]),
      ...empty.map((name) => `${at}: ${id} has no ${name}`),
      ...(cells[page.tests] ?? '')
        .split('<br>')
        .flatMap((test) => testProblems(test.trim(), readTest).map((why) => `${at}: ${id}: ${why}`)),
    ];
  });
}

export function run(): void {
  const read = (path: string) => {
    try {
      return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    } catch {
      return null;
    }
  };
  const pages = [specification, safety].flatMap((page) => {
    const text = read(page.path);
    return text === null ? [`${page.path} is missing`] : pageProblems(page, text, read);
  });
  const problems = [...pages, ...standardProblems(read(standard) ?? '', read)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
