/** What the queue carries: list members from a page on, or post to those of a part. */
export type Task = { readonly groupId: string; readonly broadcastId: string } & (
  | { readonly do: 'list'; readonly from: number }
  | { readonly do: 'post'; readonly part: string }
);
