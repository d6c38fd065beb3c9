import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources } from '../../bin/source-imports.ts';
import { reference } from '../../functions/audit/reference.ts';
import { declarations, domains } from '../../functions/domains.ts';

const root = new URL('../../', import.meta.url).pathname;
const sources = readSources(root);
const names = declarations.auditActions.map(({ name }) => name);
const declared = Object.entries(domains).flatMap(([domain, { auditActions = {} }]) =>
  Object.entries(auditActions).map(([constant, { name }]) => ({ domain, constant, name })),
);

/** The actions that run: those that a handler, a command's job or a file that one of them imports names. */
function actionsThatRun(): Set<string> {
  const seen = new Set([...sources.keys()].filter((file) => /^functions\/[^/]+\/(handlers|jobs)\//.test(file)));
  const found = new Set<string>();
  // What is added while the loop goes on is visited too.
  for (const file of seen) {
    for (const { to, typeOnly, names: bindings } of importsOf(file, sources.get(file) ?? '')) {
      if (typeOnly) continue;
      if (to.endsWith('/audit-actions.ts')) for (const binding of bindings ?? []) found.add(`${to} ${binding}`);
      else if (sources.has(to)) seen.add(to);
    }
  }
  return found;
}

test('no action is declared twice', () => {
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('each is named after what it is about, and its constant after it', () => {
  for (const { constant, name } of declared) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
    expect(constant).toBe(name.replaceAll(/[.-](.)/g, (_, letter: string) => letter.toUpperCase()));
  }
});

test('each is used by a handler, a workflow or a job', () => {
  const running = actionsThatRun();
  const unused = declared.filter(
    ({ domain, constant }) => !running.has(`functions/${domain}/audit-actions.ts ${constant}`),
  );
  expect(unused).toEqual([]);
});

test('no name is written a second time in the code', () => {
  const written = [...sources].flatMap(([file, source]) => {
    if (file.endsWith('/audit-actions.ts') || file === 'functions/audit/reference.ts') return [];
    return names.filter((name) => source.includes(`'${name}'`)).map((name) => `${file}: ${name}`);
  });
  expect(written).toEqual([]);
});

test('the reference and the documents name actions that are declared', () => {
  const shown = reference.examples.listAuditEvents?.answer.items.map(({ action }) => action);
  expect(names).toEqual(expect.arrayContaining(shown ?? ['nothing']));
  // Words of the kind in a document: `legal-hold.lifted`.
  const subjects = new Set(names.map((name) => name.split('.')[0]));
  const said = globSync('docs/**/*.md', { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`([a-z-]+)\.(?!json`)[a-z-]+`/g)].flatMap(
      ([word, subject = '']) => (subjects.has(subject) ? [word.slice(1, -1)] : []),
    ),
  );
  expect(said).toContain('legal-hold.lifted');
  expect(names).toEqual(expect.arrayContaining(said));
});
