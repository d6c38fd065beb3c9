import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from '../bin/source-imports.ts';

const root = join(import.meta.dirname, '..');

/** Whether a test waits for a condition, itself or by what it imports of test/: a busy machine can change what it finds. */
export function waits(file: string, above: readonly string[] = []): boolean {
  if (file === 'test/eventually.ts') return true;
  // api.ts waits only where an address is limited, and no test's is.
  if (!file.startsWith('test/') || file === 'test/api.ts' || above.includes(file)) return false;
  if (!existsSync(join(root, file))) return false;
  const source = readFileSync(join(root, file), 'utf8');
  // Until the streams and queues of a stage are empty.
  if (/\.idle\(/.test(source)) return true;
  return importsOf(file, source).some(({ to }) => to === 'node:timers/promises' || waits(to, [...above, file]));
}
