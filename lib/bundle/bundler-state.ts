import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** What a bundle depends on besides the modules in it: the plugins, and what finds, compiles and runs the modules. */
export function bundlerState(): string {
  const plugins = globSync('lib/bundle/*.ts', { cwd: root }).toSorted();
  const hash = createHash('sha256').update(process.version);
  for (const file of [
    ...plugins,
    'node_modules/esbuild/package.json',
    'node_modules/.package-lock.json',
    'tsconfig.json',
  ]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
