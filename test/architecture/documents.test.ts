import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, deadLinks, linksOf } from './documents.ts';

const root = new URL('../..', import.meta.url).pathname;
const outside = ['node_modules', '.git', '.cache', 'cdk.out'];
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (name) => outside.some((each) => name.split('/').includes(each)) });
const documents = filesOf('**/*.md');
/** All but this file, whose cases are made up. */
const sources = filesOf('{bin,lib,functions,test}/**/*.{ts,js,cjs,css}').filter(
  (path) => path !== 'test/architecture/documents.test.ts',
);
const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));

function read(path: string): string | null {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return null;
  return stats.isDirectory() ? '' : readFileSync(join(root, path), 'utf8');
}

describe('every document', () => {
  test('links to files and headings that exist', () => {
    expect(documents.length).toBeGreaterThan(50);
    expect(documents.flatMap((path) => deadLinks(path, read))).toEqual([]);
  });

  test('and every source cites only what the project has', () => {
    const problems = [...documents, ...sources].flatMap((path) =>
      (read(path) ?? '')
        .split('\n')
        .flatMap((line, index) => citationsNowhere(line).map((cited) => `${path}:${index + 1}: there is no ${cited}`)),
    );
    expect(problems).toEqual([]);
  });

  test('a decision has the number of its file, and one line in the list', () => {
    const list = read('docs/decisions/README.md') ?? '';
    for (const name of decisions) {
      const number = Number(name.slice(0, 4));
      expect(read(`docs/decisions/${name}`)?.split('\n')[0], name).toMatch(new RegExp(`^# ${number}\\. \\S`));
      expect(
        list.split('\n').filter((line) => line.includes(`](${name})`)),
        name,
      ).toHaveLength(1);
    }
  });
});

/** `decision 21`, `decisions/0021`, `docs/data.md`; and papers that were never part of the project. */
function citationsNowhere(line: string): string[] {
  const numbers = [...line.matchAll(/\bdecision (\d+)\b|\bdecisions\/(\d{4})\b/gi)].map(([, word, file]) =>
    String(word ?? file).padStart(4, '0'),
  );
  const pages = [...line.matchAll(/(?<![\w./-])docs\/[\w/-]+\.(?:md|json)\b/g)].map(([page]) => page);
  const papers = [...line.matchAll(/\bcontract,? \(?section \d|\bcontract'?s? §|(?<!\w)issue #?\d+\b/gi)];
  return [
    ...numbers
      .filter((number) => !decisions.some((name) => name.startsWith(number)))
      .map((number) => `decision ${number}`),
    ...pages.filter((page) => read(page) === null),
    ...papers.map(([paper]) => paper),
  ];
}

describe('the check of links', () => {
  const files: Record<string, string> = {
    'README.md':
      '# Title\n\n[a](docs/one.md#two-words) [b](#title) [c](docs) [d](https://example.com/x.md)\n\n[e]: docs/one.md\n',
    'docs/one.md':
      '# One\n\n## Two *words*\n\n## `GET /x`, and more\n\n## One\n\n<a id="by-hand"></a>\n\n```sh\n# none\n[x](nowhere.md)\n```\n',
    docs: '',
  };
  const problemsIn = (text: string) =>
    deadLinks('docs/two.md', (path) => (path === 'docs/two.md' ? text : (files[path] ?? null)));

  test('takes what is there', () => expect(deadLinks('README.md', (path) => files[path] ?? null)).toEqual([]));

  test('reads headings as GitHub does', () =>
    expect([...anchorsOf(files['docs/one.md'] ?? '')]).toEqual([
      'by-hand',
      'one',
      'two-words',
      'get-x-and-more',
      'one-1',
    ]));

  test('reads no link in code', () => expect(linksOf('`[x](nowhere.md)`')).toEqual([]));

  test.each([
    ['[a](three.md)', 'docs/two.md:1: there is no docs/three.md'],
    ['[a](../one.md)', 'docs/two.md:1: there is no one.md'],
    ['[a](../../README.md)', 'docs/two.md:1: there is no ../README.md'],
    ['[a](one.md#none)', 'docs/two.md:1: docs/one.md has no heading #none'],
    ['[a](#none)', 'docs/two.md:1: docs/two.md has no heading #none'],
    ['[a]: three.md', 'docs/two.md:1: there is no docs/three.md'],
  ])('finds %s', (text, problem) => expect(problemsIn(text)).toEqual([problem]));

  test.each([
    ['see decision 9999', ['decision 9999']],
    ['see docs/decisions/9999', ['decision 9999']],
    ['see docs/nowhere.md', ['docs/nowhere.md']],
    [`see contract ${'section'} 4`, [`contract ${'section'} 4`]],
    [`as ${'issue'} 4 says`, [`${'issue'} 4`]],
    ['see decision 1 and docs/spec.md', []],
  ])('finds the citation in: %s', (line, found) => expect(citationsNowhere(line)).toEqual(found));
});
