import type { S3Client } from '@aws-sdk/client-s3';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What a domain's own part of an erasure is given. */
export type EraserReach<T extends string, B extends string = never> = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly sns: SNSClient;
  readonly s3: S3Client;
  /** The tables' names, by those that are declared. */
  readonly tables: Readonly<Record<T, string>>;
  /** The buckets', too. */
  readonly buckets: Readonly<Record<B, string>>;
};

/**
 * Erases what a domain holds of a person where that takes more than deleting the rows of a key. No token of the person's
 * is valid any more when it is called, so that nothing is written meanwhile. It can be repeated, and touches nothing that is
 * another person's by then.
 */
export type Eraser<T extends string, B extends string = never> = (
  to: EraserReach<T, B>,
  person: { readonly userId: string; readonly erasedAt: string },
) => Promise<void>;
