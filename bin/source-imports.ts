import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The sources of the project, and the imports of each. */

/** The sources of bin/, lib/ and functions/, by their path below the root. */
export function readSources(root: string): Map<string, string> {
  const files = globSync('{bin,lib,functions}/**/*.ts', { cwd: root, exclude: ['**/node_modules'] });
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

export type Import = {
  readonly from: string;
  /** A path below the root, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** The imported bindings that are not types; null if everything is imported. */
  readonly names: readonly string[] | null;
};

const statement =
  /^(?:import|export)\s+(type\s+)?(?:([\w$]+\s*,\s*)?(\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?|[\w$]+)\s+from\s+)?'([^']+)'/gm;
const reached = /(typeof\s+)?\bimport\(\s*'([^']+)'\s*\)|new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\s*\)/g;

/** Every import, re-export, dynamic import and worker file of a source. */
export function importsOf(file: string, source: string): Import[] {
  const target = (specifier: string) =>
    specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
  const found = [...source.matchAll(statement)].map(([, type, first, clause, specifier = '']): Import => {
    const braced = clause?.startsWith('{')
      ? clause
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim())
      : null;
    const values = braced?.filter((name) => name !== '' && !name.startsWith('type ')) ?? null;
    // `import { type A }` still runs the module. Only `import type` does not.
    const typeOnly = type !== undefined;
    return { from: file, to: target(specifier), typeOnly, names: first === undefined ? values : null };
  });
  const others = [...source.matchAll(reached)].map(([, type, dynamic, url]): Import => {
    return { from: file, to: target(dynamic ?? url ?? ''), typeOnly: type !== undefined, names: null };
  });
  return [...found, ...others];
}
