import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorModules } from './compact-errors.ts';
import { edits } from './edits.ts';
import { schemaModules } from './plain-keys.ts';
import { replacements } from './replacements.ts';
import { root } from './root.ts';

/**
 * What is written here about a module of the SDK is true of one content of it. So each module that is replaced or changed is pinned
 * by its hash: an update of the SDK that changes one fails a test, which names the module.
 */

const list = join(import.meta.dirname, 'sdk-pins.json');

export type Pins = Readonly<Record<string, string>>;

/** SHA-256 in hex, by the module's path below node_modules. */
export function readPins(): Pins {
  return JSON.parse(readFileSync(list, 'utf8'));
}

/** @returns the modules whose hash is another now */
export function writePins(): string[] {
  const [before, after] = [readPins(), hashesNow()];
  writeFileSync(list, `${JSON.stringify(after, null, 2)}\n`);
  return Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
}

/** What `problems` compares the pins with. */
export function hashesNow(): Pins {
  return Object.fromEntries([...changedModules().keys()].map((path) => [path, hashOf(path)]));
}

/** @returns a line for each module that is not the one that somebody has looked at */
export function problems(pins: Pins, hashes: Pins): string[] {
  const changed = changedModules();
  return Object.keys({ ...pins, ...hashes }).flatMap((path) => {
    if (pins[path] === hashes[path]) return [];
    const by = changed.get(path);
    if (!by) return [`${path}: is pinned, and nothing in lib/bundle changes it: run \`npm run cli -- pin-sdk\``];
    const what = hashes[path] === 'missing' ? 'is gone' : pins[path] ? 'has another content' : 'is not pinned';
    return [`node_modules/${path}: ${what}; compare it with ${by}, then run \`npm run cli -- pin-sdk\``];
  });
}

/** By the path below node_modules: the file of ours that replaces or changes it. */
function changedModules(): Map<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packages = Object.keys(dependencies).filter((name) => name.startsWith('@aws-sdk/'));
  const files = globSync(`{${packages.join()}}/dist-es/**/*.js`, { cwd: join(root, 'node_modules') });
  const edited = Object.values(edits).map(({ filter }) => filter);
  const by = (path: string) => {
    if (errorModules.test(`/${path}`)) return 'lib/bundle/compact-errors.ts';
    if (schemaModules.test(`/${path}`)) return 'lib/bundle/plain-keys.ts';
    return edited.some((filter) => filter.test(`/${path}`)) ? 'lib/bundle/edits.ts' : null;
  };
  const found = files.flatMap((path): [string, string][] => {
    const file = by(path);
    return file === null ? [] : [[path, file]];
  });
  const replaced = Object.keys(replacements).map((path): [string, string] => [path, 'lib/bundle/replacements.ts']);
  return new Map([...replaced, ...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function hashOf(path: string): string {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, 'node_modules', path)))
      .digest('hex');
  } catch {
    return 'missing';
  }
}
