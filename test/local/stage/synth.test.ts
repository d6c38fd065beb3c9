import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentHash } from '../../../lib/local/content-hash.ts';
import { synthesize } from '../../../lib/local/synth.ts';
import { temporaryFolder } from './local-process.ts';

test('two starts at once both get the whole template, and the next one finds it', async () => {
  const cache = temporaryFolder();
  // What an interrupted start leaves behind, long ago and just now.
  for (const name of ['writing-old', 'writing-now']) mkdirSync(join(cache, 'stages', name), { recursive: true });
  utimesSync(join(cache, 'stages', 'writing-old'), new Date(0), new Date(0));

  const both = await Promise.all([synthesize('dev', cache), synthesize('dev', cache)]);
  expect(both.map(({ isCached }) => isCached)).toEqual([false, false]);
  expect(both[0]?.directory).toBe(both[1]?.directory);
  expect(existsSync(join(both[0]?.directory ?? '', 'manifest.json'))).toBe(true);
  expect(readdirSync(join(cache, 'stages')).sort()).toEqual([
    expect.stringMatching(/^dev-[0-9a-f]{20}$/),
    'writing-now',
  ]);
  const next = await synthesize('dev', cache);
  expect(next).toMatchObject({ directory: both[0]?.directory, isCached: true });
  expect(next.milliseconds).toBeLessThan(1000);
});

test('an unknown environment is an error that names the three', async () => {
  await expect(synthesize('production', temporaryFolder())).rejects.toThrow(
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
