import type { S3Client } from '@aws-sdk/client-s3';
import type { SNSClient } from '@aws-sdk/client-sns';

/** What a domain's own part of an erasure gets. */
export type EraserDependencies<T, B extends string = never> = {
  readonly sns: SNSClient;
  readonly s3: S3Client;
  /** By their declared names. */
  readonly tables: T;
  /** The buckets' names, in the same way. */
  readonly buckets: Readonly<Record<B, string>>;
};

/**
 * Erases a domain's data of a person if deleting the rows of a key is not enough. It is called when no token of the person is valid any
 * more, so nothing is written in the meantime. It can be repeated, and does not touch data that by then belongs to another person.
 */
export type Eraser<T, B extends string = never> = (
  to: EraserDependencies<T, B>,
  person: { readonly userId: string; readonly erasedAt: string },
) => Promise<void>;
