import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { temporaryFolder } from './local-process.ts';

test('two starts at once both get the whole template, and the next one finds it', async () => {
  const cacheDir = temporaryFolder();
  // What an interrupted start leaves behind, long ago and just now.
  for (const name of ['writing-old', 'writing-now'])
    mkdirSync(join(cacheDir, 'stages', 'dev', name), { recursive: true });
  utimesSync(join(cacheDir, 'stages', 'dev', 'writing-old'), new Date(0), new Date(0));

  const both = await Promise.all([synthesize('dev', { cacheDir }), synthesize('dev', { cacheDir })]);
  expect(both.map(({ isCached }) => isCached)).toEqual([false, false]);
  expect(both[0]?.directory).toBe(both[1]?.directory);
  expect(existsSync(join(both[0]?.directory ?? '', 'manifest.json'))).toBe(true);
  expect(readdirSync(join(cacheDir, 'stages', 'dev')).sort()).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    'writing-now',
  ]);
  const next = await synthesize('dev', { cacheDir });
  expect(next).toMatchObject({ directory: both[0]?.directory, isCached: true });
});
