import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { guarded } from './accounts.ts';
import { documentsOf } from './documents.ts';
import { callLimits, type hastyLimits } from './limits.ts';

type Limits = typeof callLimits | typeof hastyLimits;

const documents = new Map<Limits, DynamoDBDocumentClient>();

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function dynamo(limits: Limits = callLimits): DynamoDBDocumentClient {
  const made = documents.get(limits) ?? guarded(documentsOf(new DynamoDBClient(limits)));
  documents.set(limits, made);
  return made;
}
