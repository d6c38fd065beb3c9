import type { Store } from './store.ts';
import type { Bucket } from './versions.ts';

/** One call, whichever way it came: a signed request, a presigned address or a form. */
export type S3Call = {
  /** As the API reference names it: `PutObject`; `PostObject` for a form. */
  readonly action: string;
  readonly bucket: string;
  /** Empty for a call about the bucket. */
  readonly key: string;
  readonly versionId: string | undefined;
  /** Names in lower case; a presigned address's parameters and a form's fields are among them, as S3 takes them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly accessKeyId: string | null;
  /** The condition key `s3:authType`. */
  readonly authType: 'REST-HEADER' | 'REST-QUERY-STRING' | 'POST';
  readonly body: Buffer;
};

export type Xml = string | readonly Xml[] | { readonly [element: string]: Xml | undefined };

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The object's bytes, or a document of one root element. */
  readonly body?: Buffer | { readonly [root: string]: Xml };
};

export type Context = {
  readonly store: Store;
  readonly bucket: Bucket;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** May the caller do this on this resource, too: `GetObjectRetention`, and for the bucket itself `ListBucket`? */
  readonly may: (action: string) => boolean;
};

export type Operation = (context: Context, call: S3Call) => Promise<Reply>;
