import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { Unavailable } from '../contract/common-errors.ts';
import type { Procedure } from '../contract/procedures.ts';
import { Failure } from './failure.ts';
import { procedureMs, repeatableLimits, unrepeatableLimits } from './limits.ts';

let repeating: LambdaClient | undefined;
let once: LambdaClient | undefined;

/**
 * One client for each function environment, made at its first use; region, credentials and endpoint are Lambda's. Where a second call
 * would not have the result of the first, none follows a lost answer, and every call opens a new connection: a kept one may have
 * died while the environment was frozen.
 */
function lambdaClient(isRepeatable: boolean): LambdaClient {
  if (isRepeatable) {
    repeating ??= new LambdaClient(repeatableLimits);
    return repeating;
  }
  const fresh = { httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } };
  once ??= new LambdaClient({
    ...unrepeatableLimits,
    requestHandler: { ...unrepeatableLimits.requestHandler, ...fresh },
  });
  return once;
}

/** What a performer returns. */
export type Performed =
  | { readonly output: unknown }
  | { readonly failed: { readonly code: string; readonly detail: unknown } }
  | { readonly isUnavailable: true };

class ProcedureFailed extends Error {
  override readonly name = 'ProcedureFailed';
}

/**
 * Asks the function that performs a procedure, and waits for the result.
 *
 * @param functionName from the caller's bindings: `procedures.SignReceipt`
 * @throws a Failure `UNAVAILABLE` where a dependency of the performer is down, or where its process ended or reached its time-out:
 * it is then unknown whether the procedure took effect; a Failure of the procedure's own errors. An Error where it failed otherwise
 */
export async function call<P extends Procedure>(
  functionName: string,
  { input: accepts, output: returns, errors = [], isRepeatable }: P,
  input: z.output<P['input']>,
  client: LambdaClient = lambdaClient(isRepeatable),
): Promise<z.output<P['output']>> {
  const Payload = Buffer.from(JSON.stringify(z.parse(accepts, input)));
  const abortSignal = AbortSignal.timeout(procedureMs);
  const ask = () => client.send(new InvokeCommand({ FunctionName: functionName, Payload }), { abortSignal });
  const answer = await unlessNotInvoked(ask).catch((error: unknown) => {
    throw abortSignal.aborted ? new Failure(Unavailable) : error;
  });
  const performed = performedIn(answer.Payload);
  if (answer.FunctionError !== undefined) {
    if (performed.errorType === undefined || ended.has(performed.errorType)) throw new Failure(Unavailable);
    throw new ProcedureFailed();
  }
  if (performed.isUnavailable) throw new Failure(Unavailable);
  const failure = errors.find(({ code }) => code === performed.failed?.code);
  if (failure) throw new Failure(failure, (performed.failed?.detail ?? null) as never);
  return z.parse(returns, performed.output) as z.output<P['output']>;
}

/** An answer that nobody can read says nothing of what was done. */
function performedIn(payload: Uint8Array | undefined): Partial<Failed & Result> {
  try {
    return JSON.parse(Buffer.from(payload ?? '').toString('utf8')) as Partial<Failed & Result>;
  } catch {
    throw new Failure(Unavailable);
  }
}

const pausesMs = [100, 300];
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Repeats a call that has invoked nothing: it was throttled, or there was no connection. */
async function unlessNotInvoked<T>(ask: () => Promise<T>): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      const { name, code } = error as { name?: string; code?: string };
      if (name !== 'TooManyRequestsException' && !notConnected.has(code ?? '')) throw error;
      await sleep(ms);
    }
  }
  return ask();
}

type Failed = { readonly errorType: string };
type Result = {
  readonly output: unknown;
  readonly failed: { readonly code: string; readonly detail: unknown };
  readonly isUnavailable: true;
};

/** Lambda's own names for a process that ended without a result (a time-out may have none); the caller answers 503, which an alarm counts. */
const ended = new Set(['Sandbox.Timedout', 'Runtime.ExitError', 'Runtime.OutOfMemory']);
