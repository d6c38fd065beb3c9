import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Table, tableVariable } from '../contract/tables.ts';
import { firstReadable, type Uses } from '../contract/uses.ts';
import { dynamo } from './clients.ts';
import { type FunctionEnvironment, readEnvironment } from './environment.ts';

/** Where the database has not answered by then, the first request meets it as it is. */
const withinMs = 1_000;

/** A key that no row has: neither an id of ours nor a user's begins so. */
const nobody = '~init';

/** A route or a consumer. */
type Declared = { readonly uses?: Uses; readonly tolerant?: boolean };

/** The table that a function reads at init; none where it waits for no table, or is let to read none. */
export function tableReadAtInit({ uses, tolerant }: Declared): Table | undefined {
  return tolerant ? undefined : firstReadable(uses);
}

export type InitOptions = {
  /** What the function keeps from one request to the next, read in that row's place. */
  readonly read?: (where: FunctionEnvironment) => Promise<unknown>;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly client?: () => Pick<ReturnType<typeof dynamo>, 'send'>;
};

/**
 * What the first request would otherwise wait for, done while Lambda initializes the environment, with a full CPU: the
 * client is made, its connection opened, and its code run once, by a read of a row that is not there. It never fails.
 *
 * The last line of a handler's file awaits it, since Lambda's init phase lasts until the module is there. Outside Lambda,
 * which says how it initializes in AWS_LAMBDA_INITIALIZATION_TYPE, it does nothing.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export async function initialize(declared: Declared, options: InitOptions = {}): Promise<void> {
  const { read, variables = process.env, client = dynamo } = options;
  const table = tableReadAtInit(declared);
  const TableName = table && variables[tableVariable(table)];
  if (!variables.AWS_LAMBDA_INITIALIZATION_TYPE || !TableName) return;
  const { partitionKey, sortKey } = table;
  const Key = { [partitionKey]: nobody, ...(sortKey && { [sortKey]: nobody }) };
  const abortSignal = AbortSignal.timeout(withinMs);
  try {
    if (read) await Promise.race([read(readEnvironment(variables)), endOf(abortSignal)]);
    else await client().send(new GetCommand({ TableName, Key }), { abortSignal });
  } catch {
    // The request that needs the database will say what is wrong.
  }
}

function endOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
