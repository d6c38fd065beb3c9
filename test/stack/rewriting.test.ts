import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeOutKeys } from '../../lib/stack/bundle/plain-keys.ts';
import { annotate } from '../../lib/stack/bundle/pure-declarations.ts';
import { replacements } from '../../lib/stack/bundle/replacements.ts';

const pure = '/* @__PURE__ */ ';

describe('a declaration is told to be without effect', () => {
  test.each([
    ['const A = z.object({ b: z.string() });', `const A = ${pure}z.object({ b: ${pure}z.string() });`],
    ['const A = z\n  .string()\n  .check();', `const A = ${pure}z\n  .string()\n  .check();`],
    [
      "export const a = route({ params: pathId('X') });",
      `export const a = ${pure}route({ params: ${pure}pathId('X') });`,
    ],
  ])('%s', (source, annotated) => {
    expect(annotate(source)).toBe(annotated);
  });

  test.each([
    "import * as z from 'zod/mini';",
    "import { route } from '../../lib/contract/route.ts';",
    'const letters = /[a-z.x]/;',
    'const found = holder.z.string();',
    '/** Wrap it in z.optional where none need be sent, or route(it). */',
    '// z.string() is enough',
    'export function route(declaration) {}',
    'quiz.answer(); reroute(x);',
  ])('and nothing else is touched: %s', (source) => {
    expect(annotate(source)).toBe(source);
  });
});

describe('a computed key is written out', () => {
  test('where it is a constant of the file', () => {
    const source = 'const _h = "http";\nconst A = [{ [_h]: 1, [_x]: 2 }, [_h]];';
    expect(writeOutKeys(source)).toBe('const _h = "http";\nconst A = [{ "http": 1, [_x]: 2 }, [_h]];');
  });

  const packages = join(import.meta.dirname, '../../node_modules/@aws-sdk');
  test.each(readdirSync(packages).filter((name) => name.startsWith('client-')))(
    'so that none is left: %s',
    (client) => {
      const source = readFileSync(join(packages, client, 'dist-es/schemas/schemas_0.js'), 'utf8');
      expect(source).toMatch(/\[_\w+\]:/);
      expect(writeOutKeys(source)).not.toMatch(/\[_\w+\]:/);
    },
  );
});

test('each module that is replaced is one that is there', () => {
  const modules = join(import.meta.dirname, '../../node_modules');
  for (const path of Object.keys(replacements)) expect(readFileSync(join(modules, path), 'utf8'), path).not.toBe('');
});
