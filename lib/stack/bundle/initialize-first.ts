import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import type { Table } from '../../contract/tables.ts';
import { firstReadable, type Uses } from '../../contract/uses.ts';

/** The table that a function reads while it initializes; none where it waits for no table, or is let to read none. */
export function firstRead({ uses, tolerant }: { uses?: Uses; tolerant?: boolean }): Table | undefined {
  return tolerant ? undefined : firstReadable(uses);
}

/**
 * Ends each of these handlers with `lib/runtime/initialize.ts`, awaited: Lambda's init phase lasts until the module is
 * there. In the bundle and not in the source, so that importing a handler does nothing to a test.
 *
 * @param root the project's folder
 * @param entries the handlers below it, and what each reads first
 */
export function initializeFirst(
  root: string,
  entries: readonly { readonly file: string; readonly firstRead?: Table | undefined }[],
): Plugin {
  const reads = new Map(entries.map(({ file, firstRead }) => [root + file, firstRead]));
  return {
    name: 'initialize-first',
    setup(build) {
      build.onLoad({ filter: /\/functions\/[a-z-]+\/handlers\/[a-z-]+\.ts$/ }, ({ path }) => {
        const table = reads.get(path);
        if (!table) return null;
        const source = readFileSync(path, 'utf8');
        return { contents: source + ending(root, table, /^export function readFirst\(/m.test(source)), loader: 'ts' };
      });
    },
  };
}

function ending(root: string, table: Table, knowsBetter: boolean): string {
  return `
import { initialize } from ${JSON.stringify(`${root}lib/runtime/initialize.ts`)};
await initialize(process.env, ${JSON.stringify(table)}${knowsBetter ? ', readFirst' : ''});
`;
}
