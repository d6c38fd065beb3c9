import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { TableAtInit } from '../contract/table-at-init.ts';
import { tableVariable } from '../contract/tables.ts';
import { dynamo } from './clients.ts';
import { type FunctionEnvironment, readEnvironment } from './environment.ts';
import { initMs } from './limits.ts';

/** A key that no row has: no id of ours or of a user begins with `~`. */
const nobody = '~init';

/** What a handler's file exports as `atInit`. */
export type InitOptions = {
  /** Reads what the function keeps between requests; it replaces the read of the absent row. */
  readonly read?: (where: FunctionEnvironment) => Promise<unknown>;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly client?: () => Pick<ReturnType<typeof dynamo>, 'send'>;
};

/**
 * Work that the first request would otherwise wait for, done while Lambda initializes the environment with a full CPU. It
 * makes the client, opens its connection and runs its code once, by reading a row that does not exist. It never fails.
 *
 * The module that begins the bundle awaits it (lib/bundle/entries.ts). Outside Lambda it does nothing: Lambda sets
 * AWS_LAMBDA_INITIALIZATION_TYPE.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export async function initialize(table: TableAtInit, options: InitOptions = {}): Promise<void> {
  const { read, variables = process.env, client = dynamo } = options;
  const TableName = variables[tableVariable(table)];
  if (!variables.AWS_LAMBDA_INITIALIZATION_TYPE || !TableName) return;
  const { partitionKey, sortKey } = table;
  const Key = { [partitionKey]: nobody, ...(sortKey && { [sortKey]: nobody }) };
  const abortSignal = AbortSignal.timeout(initMs);
  try {
    if (read) await Promise.race([read(readEnvironment(variables)), endOf(abortSignal)]);
    else await client().send(new GetCommand({ TableName, Key }), { abortSignal });
  } catch {
    // The request that needs the database will report the error.
  }
}

function endOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
