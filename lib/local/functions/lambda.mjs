// What Lambda's Node.js runtime does with a handler, for a process (runtime.mjs) and for a thread (thread-worker.ts).
// Plain JavaScript on purpose: Node strips the types of a `.ts` file in 46 ms, at every cold start of a process.

import { existsSync } from 'node:fs';
import { types } from 'node:util';

// Lambda takes 6 MB of response: "Response payload size exceeded maximum allowed payload size (6291556 bytes)".
const maximumResponseBytes = 6_291_556;

function describe(error) {
  if (types.isNativeError(error) || error instanceof Error) {
    const trace = String(error.stack ?? '').split('\n');
    return { errorType: error.name, errorMessage: error.message, trace };
  }
  let message = 'Unknown';
  try {
    message = String(error);
  } catch {} // An object without a prototype has no toString.
  return { errorType: typeof error, errorMessage: message, trace: [] };
}

/** @returns the report of a handler that could not be loaded; its line is logged */
export function initFailure(error, log) {
  const failure = describe(error);
  // Lambda's own name for a bundle that does not parse.
  if (failure.errorType === 'SyntaxError') failure.errorType = 'Runtime.UserCodeSyntaxError';
  log(`Init Error ${failure.trace.join('\n') || failure.errorMessage}`);
  return failure;
}

/** @returns the report of an error that nobody caught; its line is logged */
export function uncaught(error, isRejection, log) {
  const failure = describe(error);
  if (isRejection) failure.errorType = 'Runtime.UnhandledPromiseRejection';
  // Replaces Node's own report, which prints the throwing line: a minified bundle is one line.
  log(`Uncaught Exception ${failure.trace.join('\n') || failure.errorMessage}`);
  return failure;
}

export async function loadHandler(environment, load) {
  // `index.handler`: the file without its extension, then the export.
  const name = environment._HANDLER ?? '';
  const dot = name.lastIndexOf('.');
  const stem = `${environment.LAMBDA_TASK_ROOT}/${name.slice(0, dot)}`;
  const file = ['.mjs', '.js', '.cjs'].map((extension) => stem + extension).find((path) => existsSync(path));
  if (!file) throw namedError('Runtime.ImportModuleError', `Cannot find module '${name.slice(0, dot)}'`);
  const module = await load(file);
  const handler = module[name.slice(dot + 1)] ?? module.default?.[name.slice(dot + 1)];
  if (handler === undefined) throw namedError('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
  if (typeof handler !== 'function') throw namedError('Runtime.HandlerNotFound', `${name} is not a function`);
  if (handler.length > 2) {
    // "Starting with Node.js 24, Lambda no longer supports callback-based function handlers" (Lambda developer guide).
    throw namedError('Runtime.CallbackHandlerDeprecated', `${name} takes a callback: use an async handler`);
  }
  return handler;
}

function namedError(name, message) {
  return Object.assign(new Error(message), { name });
}

function contextOf(environment, arn, requestId, deadline) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: '$LATEST',
    invokedFunctionArn: arn,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: requestId,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(deadline - Date.now(), 0),
  };
}

/** @param say gets `S` and the answer, or `F` and a report, as JSON in UTF-8 */
export async function answer(handler, environment, { arn, requestId, deadline, event }, { log, say }) {
  const fail = (failure) => say('F', Buffer.from(JSON.stringify(failure)));
  let payload;
  try {
    const context = contextOf(environment, arn, requestId, deadline);
    payload = JSON.stringify(await handler(JSON.parse(event), context)) ?? 'null';
  } catch (error) {
    const failure = describe(error);
    log(`Invoke Error ${failure.trace.join('\n') || failure.errorMessage}`);
    return fail(failure);
  }
  const bytes = Buffer.from(payload);
  if (bytes.length > maximumResponseBytes) {
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${maximumResponseBytes} bytes).`;
    fail({ errorType: 'Function.ResponseSizeTooLarge', errorMessage, trace: [] });
  } else {
    say('S', bytes);
  }
}

/** For tests: what limits a call waits longer. Other waits are as long as ever, but for one that by chance is as long as a limit. */
export function lengthenLimits({ factor, limitsMs }) {
  const [timer, signal] = [globalThis.setTimeout, AbortSignal.timeout];
  const limits = new Set(limitsMs);
  globalThis.setTimeout = Object.assign(
    (callback, ms, ...values) => timer(callback, limits.has(ms) ? ms * factor : ms, ...values),
    timer,
  );
  AbortSignal.timeout = (ms) => signal.call(AbortSignal, ms * factor);
}
