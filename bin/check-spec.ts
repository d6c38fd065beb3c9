import { readFileSync } from 'node:fs';

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

type Row = { readonly line: number; readonly cells: string[] };

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

function testProblems(test: string, readTest: (path: string) => string | null): string[] {
  const [, path, titles] = /^`(test\/[^`]+\.ts)` › (.+)$/.exec(test) ?? [];
  if (!path || !titles) return ['names no test'];
  const source = readTest(path);
  if (source === null) return [`there is no ${path}`];
  const known = titlesIn(source);
  return titles
    .split(' › ')
    .filter((title) => !known.has(title))
    .map((title) => `${path} has no "${title}" that runs`);
}

const text = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60)`;
const titles = [
  // test('…'), describe.sequential('…'), but not what is skipped or still to be written
  new RegExp(String.raw`\b(?:test|it|describe)(?:\.(?!skip|todo|fails|each|for)\w+)*\(\s*${text}`, 'g'),
  // test.each([…])('…')
  new RegExp(String.raw`\)\(\s*${text}`, 'g'),
  // a case's name, the first of its row
  new RegExp(String.raw`^\s*\[\s*${text},`, 'gm'),
];

/** The titles of describes, tests and cases in a source. */
export function titlesIn(source: string): Set<string> {
  const found = titles.flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, literal = '']) => literal.slice(1, -1)),
  );
  return new Set(found.map((title) => title.replace(/\\(.)/g, '$1')));
}

function rowsOf(page: string, letter: string): Row[] {
  return page.split('\n').flatMap((content, index) => {
    if (!new RegExp(`^\\| *${letter}\\d`).test(content)) return [];
    const cells = content
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/);
    return [{ line: index + 1, cells: cells.map((cell) => cell.trim().replaceAll('\\|', '|')) }];
  });
}

if (import.meta.main) {
  const read = (path: string) => {
    try {
      return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    } catch {
      return null;
    }
  };
  const problems = [specification, safety].flatMap((page) => {
    const text = read(page.path);
    return text === null ? [`${page.path} is missing`] : pageProblems(page, text, read);
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
