import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tableVariable } from '../../lib/contract/tables.ts';
import type { TlsStub } from './tls-stub.ts';

/** A Lambda function's life in a process of its own. */

export type Work = {
  readonly file: string;
  /** Null where the function is only loaded. */
  readonly event: object | null;
  /** The warm invocations that follow the first; none of them where there are 0 batches. */
  readonly batches: number;
  readonly batchSize: number;
  /** Beside those that all have. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
};

/** CPU milliseconds. */
export type Measured = {
  readonly load: number;
  readonly first: number;
  /** An invocation in each batch. */
  readonly warm: readonly number[];
  /** Of the first answer. */
  readonly body: string | null;
};

const used = ['Accounts', 'Agreements', 'AppVersionPolicies', 'ConsentRecords', 'ConsentStates', 'EndedSessions'];
const root = join(import.meta.dirname, '../..');

/** @throws an Error where the function fails, or answers anything but 200; why is on the standard error */
export async function inFreshProcess({ variables, ...work }: Work, stub: TlsStub): Promise<Measured> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'measure.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: { ...commonVariables(stub), ...variables, BENCH_WORK: JSON.stringify(work) },
  });
  const result = text(child.stdio[3] as Readable);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${work.file} ended with ${code}`);
  return JSON.parse(await result);
}

/** `prod` has no time machine, whose clock the functions of the other environments read from a table. */
function commonVariables({ url, certificateFile }: TlsStub): Record<string, string> {
  return {
    HOME: '/nowhere',
    PATH: '/usr/bin:/bin',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_SESSION_TOKEN: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: url,
    NODE_EXTRA_CA_CERTS: certificateFile,
    // Where Lambda's runtime has the SDK for what does not bundle it.
    NODE_PATH: join(root, 'node_modules'),
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    ENVIRONMENT: 'prod',
    APPLICATION: 'sleepcare',
    CURSOR_KEY: 'b'.repeat(64),
    ...Object.fromEntries(used.map((name) => [tableVariable({ name }), name])),
  };
}
