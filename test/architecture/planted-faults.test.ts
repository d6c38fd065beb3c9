import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../lib/bundle/root.ts';

/** A fault that does not apply proves nothing, and nobody sees it until the faults are planted again. */

const patches = globSync('{test,functions}/**/*.patch', { cwd: root }).toSorted();

test.each(patches)('%s applies', (patch) => {
  const [, ...files] = readFileSync(join(root, patch), 'utf8').split(/^(?:diff --git .*\n(?:(?!--- ).*\n)*)?--- /m);
  const misplaced = files.flatMap((file) => {
    const path = /^\+\+\+ b\/(.+)$/m.exec(file)?.[1] ?? '';
    const text = existsSync(join(root, path)) ? `\n${readFileSync(join(root, path), 'utf8')}` : '';
    const [, ...hunks] = file.split(/^@@ .*$/m);
    return hunks.filter((hunk) => !text.includes(before(hunk))).map((hunk) => `${path}: ${before(hunk)}`);
  });
  expect(files.length).toBeGreaterThan(0);
  expect(misplaced).toEqual([]);
});

/** @returns the lines that a hunk removes or leaves, as `git apply` looks for them */
function before(hunk: string): string {
  return hunk.replaceAll(/^\+.*\n/gm, '').replaceAll(/\n[ -]/g, '\n');
}
