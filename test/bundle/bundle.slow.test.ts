import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { bundleFunctions, bundleGroup } from '../../lib/bundle/bundle.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { checkBundles } from './checks.ts';

const entries = functionEntries(declarations);

let grouped = '';
describe('the bundles, all of them', () => {
  grouped = checkBundles(entries);
});

test('the bundles of groups, of one build and of the cache are the same, byte by byte', async () => {
  const { code } = await bundleGroup(entries);
  await bundleFunctions(entries);
  const kept = await bundleFunctions(entries);
  expect(kept.made).toBe(0);
  const read = (folder = '') => readFileSync(join(folder, 'index.mjs'));
  for (const entry of entries) {
    const bytes = Buffer.from(code(entry));
    expect(read(join(grouped, entry.name)).equals(bytes), entry.name).toBe(true);
    expect(read(kept.folders.get(entry.name)).equals(bytes), entry.name).toBe(true);
  }
});
