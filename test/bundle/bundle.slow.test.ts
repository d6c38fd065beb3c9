import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { bundleFunctions, bundleGroup } from '../../lib/bundle/bundle.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { checkBundles } from './checks.ts';

const entries = functionEntries(declarations);

describe('the bundles, all of them', () => checkBundles(entries));

test('the bundles of groups, of one build and of the cache are the same, byte by byte', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mobile-health-bundles-'));
  const grouped = await bundleFunctions(entries, directory);
  const { code } = await bundleGroup(entries);
  const kept = await bundleFunctions(entries, directory);
  expect([grouped.made, kept.made]).toEqual([entries.length, 0]);
  const read = (folder = '') => readFileSync(join(folder, 'index.mjs'));
  for (const entry of entries) {
    const bytes = Buffer.from(code(entry));
    expect(read(grouped.folders.get(entry.name)).equals(bytes), entry.name).toBe(true);
    expect(read(kept.folders.get(entry.name)).equals(bytes), entry.name).toBe(true);
  }
});
