import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeOutKeys } from '../../lib/bundle/plain-keys.ts';
import { annotate } from '../../lib/bundle/pure-declarations.ts';
import { replacements } from '../../lib/bundle/replacements.ts';

const pure = '/* @__PURE__ */ ';

describe('a declaration is marked as free of side effects', () => {
  test.each([
    ['const A = z.object({ b: z.string() });', `const A = ${pure}z.object({ b: ${pure}z.string() });`],
    ['const A = z\n  .string()\n  .check();', `const A = ${pure}z\n  .string()\n  .check();`],
    ['const B = A.check(isTakenBy(f));', `const B = ${pure}A.check(${pure}isTakenBy(f));`],
    [
      "const a = z.regex(new RegExp(b), issue('c', 'd'));",
      `const a = ${pure}z.regex(${pure}new RegExp(b), ${pure}issue('c', 'd'));`,
    ],
    [
      "export const a = route({ params: pathId('X') });",
      `export const a = ${pure}route({ params: ${pure}pathId('X') });`,
    ],
    ["export const a = auditAction('a.b');", `export const a = ${pure}auditAction('a.b');`],
    ['const C = combined(A, { title: text(200) });', `const C = ${pure}combined(A, { title: ${pure}text(200) });`],
    [
      "export const A = bucket('A', b);\nuses: [logTo(A, 'c/'), sendTo(B)]",
      `export const A = ${pure}bucket('A', b);\nuses: [${pure}logTo(A, 'c/'), ${pure}sendTo(B)]`,
    ],
  ])('%s', (source, annotated) => {
    expect(annotate(source)).toBe(annotated);
  });

  test.each([
    "import * as z from 'zod/mini';",
    "import { route } from '../../lib/contract/route.ts';",
    'const letters = /[a-z.x]/;',
    'const wanted = locale.check(text);',
    'const found = holder.z.string();',
    '/** Wrap it in z.optional where none need be sent, or route(it). */',
    '// z.string() is enough',
    'export function route(declaration) {}',
    'function isTakenBy(make) {}',
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

describe('the replacement of SHA-256', () => {
  type Hash = { update: (data: string | Uint8Array) => void; digest: () => Promise<Uint8Array>; reset: () => void };
  const source = replacements['@smithy/core/dist-es/submodules/checksum/sha256/Sha256Node.js'];
  const loaded = import(`data:text/javascript,${encodeURIComponent(source ?? '')}`);
  const made = async (secret?: string | ArrayBuffer): Promise<Hash> => new (await loaded).Sha256Node(secret);
  const hex = async (hash: Hash) => Buffer.from(await hash.digest()).toString('hex');
  const key = new TextEncoder().encode('key');

  test.each([[[]], [['one piece']], [['two', 'pieces']], [['', 'and', key]]])('digests %j', async (pieces) => {
    const [hash, keyed] = [await made(), await made(key.buffer)];
    const [expected, expectedKeyed] = [createHash('sha256'), createHmac('sha256', 'key')];
    for (const piece of pieces) for (const each of [hash, keyed, expected, expectedKeyed]) each.update(piece);
    expect(await hex(hash)).toBe(expected.digest('hex'));
    expect(await hex(keyed)).toBe(expectedKeyed.digest('hex'));
  });

  test('can continue after a digest without a key, but not with a key', async () => {
    const [hash, keyed] = [await made(), await made('key')];
    for (const each of [hash, keyed]) each.update('a');
    await Promise.all([hash.digest(), keyed.digest()]);
    hash.update('b');
    expect(await hex(hash)).toBe(createHash('sha256').update('ab').digest('hex'));
    expect(() => keyed.update('b')).toThrow('already finished');
  });

  test('begins again', async () => {
    const [hash, keyed] = [await made(), await made('key')];
    for (const each of [hash, keyed]) {
      each.update('a');
      await each.digest();
      each.reset();
      each.update('b');
    }
    expect(await hex(hash)).toBe(createHash('sha256').update('b').digest('hex'));
    expect(await hex(keyed)).toBe(createHmac('sha256', 'key').update('b').digest('hex'));
  });
});
