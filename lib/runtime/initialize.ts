import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Table, tableVariable } from '../contract/tables.ts';
import { dynamo } from './clients.ts';
import { type FunctionEnvironment, readEnvironment } from './environment.ts';

/** Where the database has not answered by then, the first request meets it as it is. */
const withinMs = 1_000;

/** A key that no row has: neither an id of ours nor a user's begins so. */
const nobody = '~init';

/**
 * What the first request would otherwise wait for, done while Lambda initializes the environment, with a full CPU: the
 * client is made, its connection opened, and its code run once, by a read of a row that is not there. The bundles of the
 * functions that may read a table end with it (`lib/stack/bundle/initialize-first.ts`). It never fails.
 *
 * A handler that keeps what it reads exports `readFirst`, which is then called instead.
 *
 * Lambda says how it initializes; the local stage says `INIT_WORK=off`, as its tests count requests.
 */
export async function initialize(
  variables: Readonly<Record<string, string | undefined>>,
  table: Table,
  readFirst?: (where: FunctionEnvironment) => Promise<unknown>,
  client: () => Pick<ReturnType<typeof dynamo>, 'send'> = dynamo,
): Promise<void> {
  const TableName = variables[tableVariable(table)];
  if (!variables.AWS_LAMBDA_INITIALIZATION_TYPE || variables.INIT_WORK === 'off' || !TableName) return;
  const { partitionKey, sortKey } = table;
  const Key = { [partitionKey]: nobody, ...(sortKey && { [sortKey]: nobody }) };
  const abortSignal = AbortSignal.timeout(withinMs);
  try {
    if (readFirst) await Promise.race([readFirst(readEnvironment(variables)), endOf(abortSignal)]);
    else await client().send(new GetCommand({ TableName, Key }), { abortSignal });
  } catch {
    // The request that needs the database will say what is wrong.
  }
}

function endOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
