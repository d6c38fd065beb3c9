import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { root } from '../../lib/bundle/root.ts';

/** A function that waits for a table reads it at init (decision 19). The bundler writes the module that does so. */

const entries = functionEntries(declarations);
const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8');

test('no handler’s file has a top-level await, so that any module may import it', () => {
  expect(entries.filter(({ file }) => /^(export )?(const .* = )?await /m.test(sourceOf(file)))).toEqual([]);
});

test('a handler’s file exports its handler, what is read at init only where a table is, and the parts that its route declares', () => {
  const exportsOf = (file: string) =>
    [...sourceOf(file).matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(([, name]) => name);
  const others = entries.flatMap(({ name, file, atInit, parts = [] }) => {
    const known = ['handler', atInit && 'atInit', ...parts.map((part) => part.file === file && part.name)];
    const found = exportsOf(file).filter((each) => !known.includes(each));
    return found.length > 0 ? [`${name}: ${found.join()}`] : [];
  });
  expect(others).toEqual([]);
});

test('most functions read a table at init', () => {
  expect(entries.filter(({ atInit }) => atInit).length).toBeGreaterThan(200);
  expect(entries.filter(({ atInit }) => !atInit).length).toBeGreaterThan(10);
});
