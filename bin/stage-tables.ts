import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../lib/contract/tables.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { handlesOf } from '../lib/runtime/table-handle.ts';
import type { StageAccess } from './stage-access.ts';

/** The client of a stage's tables. @param limits its time-outs, and how often it repeats a call */
export function documentsAt(access: StageAccess, limits: object = commandLimits): DynamoDBDocumentClient {
  return documentsOf(new DynamoDBClient({ ...limits, ...access.client('dynamodb') }));
}

/** Handles of a stage's tables. @throws an Error if the stage has no such table */
export async function stageTables<const T extends Table>(
  access: StageAccess,
  tables: readonly T[],
  client: DynamoDBDocumentClient = documentsAt(access),
) {
  const names = tables.map(async ({ name }) => [name, await access.outputs(`${name}TableName`)] as const);
  const named = new Map<string, string>(await Promise.all(names));
  return handlesOf(
    tables,
    ({ name }) => named.get(name) ?? '',
    () => client,
  );
}
