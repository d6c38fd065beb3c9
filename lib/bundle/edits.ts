/** Modules of the SDK that are bundled as AWS publishes them, but for a few words. */

export type Edit = {
  readonly filter: RegExp;
  readonly loader: 'js';
  readonly edit: (source: string) => string;
};

export const edits: Readonly<Record<string, Edit>> = {
  // The document client's two paginators, each of them dropped where it is not used.
  // 1.9 ms of 29 in send-push (0.6 to 3.1).
  'pure-paginators': {
    filter: /\/lib-dynamodb\/dist-es\/pagination\/\w+Paginator\.js$/,
    loader: 'js',
    edit: (source) => source.replace('= createPaginator(', '= /* @__PURE__ */ createPaginator('),
  },
};
