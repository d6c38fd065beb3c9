import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';
import { replacements } from './replacements.ts';

/**
 * Puts our own few lines in the place of those modules of the AWS SDK that a function on Lambda never runs. The rest of
 * the SDK is bundled as AWS publishes it. A module that a new version of the SDK has moved is no longer replaced: the
 * budgets in the tests then say so.
 */
export const replaceModules: Plugin = {
  name: 'replace-modules',
  setup(build) {
    for (const [path, contents] of Object.entries(replacements)) {
      const filter = new RegExp(`/node_modules/${path.replaceAll('.', '\\.')}$`);
      build.onLoad({ filter }, (args) => ({ contents, loader: 'js', resolveDir: dirname(args.path) }));
    }
    // Each client's user agent names its version: of the package's description it needs that alone (2.4 KiB a client).
    build.onLoad({ filter: /\/node_modules\/@aws-sdk\/client-[a-z0-9-]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    // Whether a body is a file's stream is asked of what is no text alone: fs's class brings fs.promises and readline.
    build.onLoad({ filter: /\/serde\/util-body-length\/calculateBodyLength\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace('import { ReadStream, ', 'import fs, { ')
        .replace('instanceof ReadStream', 'instanceof fs.ReadStream'),
      loader: 'js',
    }));
    // The document client's two paginators, each of them dropped where it is not used.
    build.onLoad({ filter: /\/lib-dynamodb\/dist-es\/pagination\/\w+Paginator\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
      loader: 'js',
    }));
    // Which region is in which partition, without the regions' names in English (2 KiB).
    build.onLoad({ filter: /\/util-endpoints\/lib\/aws\/partitions\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/"description": "[^"]*"/g, ''),
      loader: 'js',
    }));
  },
};
