import { readFileSync } from 'node:fs';

/**
 * Checks docs/spec.md: each row is a sentence of the specification and the tests that prove it,
 * `| S1 | sentence | <code>test/x.test.ts</code> › describe › test |`, several of them separated by `<br>`.
 */

type Row = { readonly line: number; readonly cells: string[] };

/** @param readTest returns the source of a test file, or null if there is none */
export function specProblems(spec: string, readTest: (path: string) => string | null): string[] {
  const rows = rowsOf(spec);
  if (rows.length === 0) return ['docs/spec.md: has no rows'];
  return rows.flatMap(({ line, cells: [id, sentence, tests, ...more] }, index) => {
    const at = `docs/spec.md:${line}`;
    if (tests === undefined || more.length > 0) return [`${at}: a row has a number, a sentence and its tests`];
    const numbered = id === `S${index + 1}` ? [] : [`${at}: ${id} should be S${index + 1}`];
    if (sentence === '') return [...numbered, `${at}: ${id} has no sentence`];
    return [
      ...numbered,
      ...tests
        .split('<br>')
        .flatMap((test) => testProblems(test.trim(), readTest).map((why) => `${at}: ${id}: ${why}`)),
    ];
  });
}

function testProblems(test: string, readTest: (path: string) => string | null): string[] {
  const [, path, titles] = /^`(test\/[^`]+\.test\.ts)` › (.+)$/.exec(test) ?? [];
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

function rowsOf(spec: string): Row[] {
  return spec.split('\n').flatMap((content, index) => {
    if (!/^\| *S\d/.test(content)) return [];
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
  const spec = read('docs/spec.md');
  const problems = spec === null ? ['docs/spec.md is missing'] : specProblems(spec, read);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
