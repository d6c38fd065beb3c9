/** Pages whose rows name the tests that prove them. */

type Row = { readonly line: number; readonly cells: string[] };

/** @param test as a row names it: <code>test/x.test.ts</code> › describe › test */
export function testProblems(test: string, readTest: (path: string) => string | null): string[] {
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

/** @param letter with which the numbers of the rows begin */
export function rowsOf(page: string, letter: string): Row[] {
  return page.split('\n').flatMap((content, index) => {
    if (!new RegExp(`^\\| *${letter}\\d`).test(content)) return [];
    const cells = content
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/);
    return [{ line: index + 1, cells: cells.map((cell) => cell.trim().replaceAll('\\|', '|')) }];
  });
}
