import type { Xml } from '../xml.ts';
import type { Store } from './store.ts';
import type { Bucket } from './versions.ts';

/** One call, from a signed request, a presigned address or a form. */
export type S3Call = {
  /** As the API reference names it: `PutObject`; `PostObject` for a form. */
  readonly action: string;
  readonly bucket: string;
  /** Empty for a call about the bucket. */
  readonly key: string;
  readonly versionId: string | undefined;
  /**
   * Names in lower case; they include the parameters of a presigned address and the fields of a form, as S3 accepts
   * them.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly accessKeyId: string | null;
  /** The condition key `s3:authType`. */
  readonly authType: 'REST-HEADER' | 'REST-QUERY-STRING' | 'POST';
  readonly body: Buffer;
};

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
  /**
   * Whether the caller may also do this on the resource: `GetObjectRetention`, or `ListBucket` on the bucket itself.
   */
  readonly may: (action: string) => boolean;
};

export type Operation = (context: Context, call: S3Call) => Promise<Reply>;
