import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { guarded } from './accounts.ts';
import { documentsOf } from './documents.ts';

/**
 * The SDK's clients have no time-out by default: a hanging dependency would hang the function. Three attempts of at most a
 * second each fit well into a function's ten seconds, even where a write is followed by a read that checks whether it took
 * effect.
 */
export const callLimits = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 1000, throwOnRequestTimeout: true },
} as const;

/** For reads that an app waits for at its start and can do without: one second if nothing answers, two if it is throttled. */
export const hastyLimits = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 300, requestTimeout: 450, throwOnRequestTimeout: true },
} as const;

type Limits = typeof callLimits | typeof hastyLimits;

const documents = new Map<Limits, DynamoDBDocumentClient>();

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function dynamo(limits: Limits = callLimits): DynamoDBDocumentClient {
  const made = documents.get(limits) ?? guarded(documentsOf(new DynamoDBClient(limits)));
  documents.set(limits, made);
  return made;
}
