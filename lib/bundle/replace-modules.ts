import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';
import { type Edit, edits } from './edits.ts';
import { replacements } from './replacements.ts';

/**
 * Puts a few lines of our own in the place of modules of the AWS SDK that a function on Lambda never runs, and changes a
 * few words in others. The rest of the SDK is bundled as AWS publishes it. A module that a new version of the SDK has changed
 * or moved fails a test (sdk-pins.ts). One plugin for each, so that what each of them gains can be
 * measured (`npm run bench -- --only replacements`).
 */
export const replaceModules: readonly Plugin[] = [
  ...Object.entries(replacements).map(([path, contents]) => replaceModule(path, contents)),
  ...Object.entries(edits).map(([name, edit]) => editModules(name, edit)),
];

function replaceModule(path: string, contents: string): Plugin {
  const filter = new RegExp(`/node_modules/${path.replaceAll('.', '\\.')}$`);
  return {
    name: `replace ${path}`,
    setup: (build) => build.onLoad({ filter }, (args) => ({ contents, loader: 'js', resolveDir: dirname(args.path) })),
  };
}

function editModules(name: string, { filter, loader, edit }: Edit): Plugin {
  return {
    name: `edit ${name}`,
    setup: (build) => build.onLoad({ filter }, ({ path }) => ({ contents: edit(readFileSync(path, 'utf8')), loader })),
  };
}
