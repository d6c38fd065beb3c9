import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesize } from '../../../lib/local/synth.ts';
import { temporaryFolder } from './local-process.ts';

test('two starts at once both get the whole template, and the next one finds it', async () => {
  const cache = temporaryFolder();
  // What an interrupted start leaves behind, long ago and just now.
  for (const name of ['writing-old', 'writing-now']) mkdirSync(join(cache, 'stages', name), { recursive: true });
  utimesSync(join(cache, 'stages', 'writing-old'), new Date(0), new Date(0));

  const both = await Promise.all([synthesize('dev', cache), synthesize('dev', cache)]);
  expect(both.map(({ isCached }) => isCached)).toEqual([false, false]);
  for (const { times } of both) {
    expect(times?.bundling).toBeGreaterThan(0);
    expect(times?.synthesis).toBeGreaterThan(0);
  }
  expect(both[0]?.directory).toBe(both[1]?.directory);
  expect(existsSync(join(both[0]?.directory ?? '', 'manifest.json'))).toBe(true);
  expect(readdirSync(join(cache, 'stages')).sort()).toEqual([
    expect.stringMatching(/^dev-[0-9a-f]{20}$/),
    'writing-now',
  ]);
  const next = await synthesize('dev', cache);
  expect(next).toMatchObject({ directory: both[0]?.directory, isCached: true, times: null });
});
