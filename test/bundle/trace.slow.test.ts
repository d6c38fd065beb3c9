import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../lib/bundle/root.ts';

test('`npm run trace` prints a line for each place', () => {
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [join(root, 'bin/trace.ts'), ...words], { encoding: 'utf8', stdio: 'pipe' });
  expect(run('read-health', '1:1', '900:1').trim().split('\n')).toHaveLength(2);
  expect(run('--help')).toContain('npm run trace -- <function> <line:column>');
  expect(() => run('read-health')).toThrow('npm run trace --');
});
