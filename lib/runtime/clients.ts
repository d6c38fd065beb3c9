import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Table, tableVariable } from '../contract/tables.ts';
import { guarded } from './accounts.ts';
import { documentsOf } from './documents.ts';
import { type FunctionEnvironment, tableNameOf } from './environment.ts';
import { callLimits, type hastyLimits } from './limits.ts';
import { lambda, type WithTables } from './runtime.ts';
import { type Action, type Handle, handleOf, type TableHandle } from './table-handle.ts';

type Limits = typeof callLimits | typeof hastyLimits;

const documents = new Map<Limits, DynamoDBDocumentClient>();

/** One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. */
export function dynamo(limits: Limits = callLimits): DynamoDBDocumentClient {
  const made = documents.get(limits) ?? guarded(documentsOf(new DynamoDBClient(limits)));
  documents.set(limits, made);
  return made;
}

/** For a consumer that uses tables. */
export const lambdaWithTables: WithTables = { ...lambda, dynamo };

/** For what runs outside of a handler: its declaration has to name the table as well. @throws an Error where it does not */
export function tableIn<T extends Table, A extends Action = 'get' | 'batchGet' | 'query'>(
  variables: FunctionEnvironment['variables'],
  table: T,
  client: () => DynamoDBDocumentClient = dynamo,
): Handle<T, A> {
  const handle = handleOf<T>(client(), tableNameOf({ variables }, table));
  return handle as Handle<T, A>;
}

/** @returns undefined where the stack did not name the table to the function */
export function tableIfNamed(variables: FunctionEnvironment['variables'], table: Table): TableHandle | undefined {
  const name = variables[tableVariable(table)];
  return name === undefined || name === '' ? undefined : handleOf(dynamo(), name);
}
