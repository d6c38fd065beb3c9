import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { contentHash } from '../../../lib/local/content-hash.ts';
import { temporaryFolder } from './local-process.ts';

test('an unknown environment is an error that names the three', async () => {
  await expect(synthesize('production', { cacheDir: temporaryFolder() })).rejects.toThrow(
    'unknown stage "production": one of dev, staging, prod is needed',
  );
});

test('the hash follows names and contents, and paths that are not there', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'a'));
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  const hash = () => contentHash(root, ['a', 'b.txt', 'nowhere']);
  const seen = new Set<string>();
  for (const change of [
    () => write('a/one', '1'),
    () => write('a/one', '2'),
    () => write('a/two', ''),
    () => write('b.txt', ''),
    () => write('nowhere', ''),
  ]) {
    change();
    seen.add(await hash());
  }
  expect(seen.size).toBe(5);
  write('elsewhere', '');
  expect(seen.has(await hash())).toBe(true);
});
