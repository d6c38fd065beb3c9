import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import type { Entry } from './entries.ts';
import { withEsbuild } from './esbuild.ts';
import { bundleOptions } from './options.ts';
import { root } from './root.ts';

/** The deployed bundles have no source maps. This makes the map of one of them, from the sources as they are here. */

export type Position = { readonly line: number; readonly column: number };

/** @throws an Error where the text is not `line:column`, both from 1 on, as a stack trace has them */
export function positionOf(text: string): Position {
  const [, line, column] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (!Number(line) || !Number(column)) throw new Error(`${JSON.stringify(text)} is not a position such as 27:23068`);
  return { line: Number(line), column: Number(column) };
}

/** @throws an Error that names the functions with a similar name */
export function entryNamed(name: string, entries: readonly Entry[]): Entry {
  const found = entries.find((entry) => entry.name === name);
  if (found) return found;
  const similar = entries.filter((entry) => entry.name.includes(name)).map((entry) => entry.name);
  throw new Error(`there is no function ${name}${similar.length > 0 ? `; there are ${similar.join(', ')}` : ''}`);
}

export async function mapOf(entry: Entry): Promise<{ readonly code: string; readonly find: (at: Position) => string }> {
  const options = { ...bundleOptions([entry]), sourcemap: 'external', sourcesContent: false, write: false } as const;
  const { outputFiles } = await withEsbuild(({ build }) => build({ ...options, outdir: root }));
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const map = new SourceMap(JSON.parse(textOf('.map')) as SourceMapPayload);
  const folder = dirname(outputFiles[0]?.path ?? root);
  const code = textOf('.mjs');
  const lines = code.split('\n');
  const find = ({ line, column }: Position) => {
    if (column > (lines[line - 1]?.length ?? 0)) return `${line}:${column} is not in the bundle of these sources`;
    const origin = map.findOrigin(line, column);
    if (!('fileName' in origin)) return `${line}:${column} is in no source file`;
    return `${relative(root, resolve(folder, origin.fileName))}:${origin.lineNumber}:${origin.columnNumber}`;
  };
  return { code, find };
}
