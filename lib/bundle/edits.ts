/** Modules of the SDK that are bundled as AWS publishes them, but for a few words. */

export type Edit = {
  readonly filter: RegExp;
  readonly loader: 'js' | 'json';
  readonly edit: (source: string) => string;
};

export const edits: Readonly<Record<string, Edit>> = {
  // Each client's user agent names its version: of the package's description it needs that alone (2.4 KiB a client).
  'version-of-package': {
    filter: /\/node_modules\/@aws-sdk\/client-[a-z0-9-]+\/package\.json$/,
    loader: 'json',
    edit: (source) => JSON.stringify({ version: JSON.parse(source).version }),
  },
  // Whether a body is a file's stream is asked of what is no text alone: fs's class brings fs.promises and readline.
  'lazy-read-stream': {
    filter: /\/serde\/util-body-length\/calculateBodyLength\.js$/,
    loader: 'js',
    edit: (source) =>
      source
        .replace('import { ReadStream, ', 'import fs, { ')
        .replace('instanceof ReadStream', 'instanceof fs.ReadStream'),
  },
  // The document client's two paginators, each of them dropped where it is not used.
  'pure-paginators': {
    filter: /\/lib-dynamodb\/dist-es\/pagination\/\w+Paginator\.js$/,
    loader: 'js',
    edit: (source) => source.replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
  },
  // Which region is in which partition, without the regions' names in English (2 KiB).
  'partitions-without-names': {
    filter: /\/util-endpoints\/lib\/aws\/partitions\.js$/,
    loader: 'js',
    edit: (source) => source.replaceAll(/"description": "[^"]*"/g, ''),
  },
};
