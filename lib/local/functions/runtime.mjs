// Lambda's Node.js runtime, inside the child process: loads the handler, runs one invocation after the other.
// Plain JavaScript on purpose: Node strips the types of a `.ts` file in 46 ms, at every cold start.
//
// File descriptor 4 brings invocations; 3 takes results and log lines away. Descriptor 3 is written synchronously, so
// log lines stay before their result and `process.exit()` loses none.

import { existsSync, writeSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';

// Lambda takes 6 MB of response: "Response payload size exceeded maximum allowed payload size (6291556 bytes)".
const maximumResponseBytes = 6_291_556;
const environment = process.env;
let taken = 0;

/** One frame: a letter for its kind, the length in four bytes, the content. `frames.ts` reads it. */
function send(kind, content) {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const frame = Buffer.allocUnsafe(5 + body.length);
  frame[0] = kind.charCodeAt(0);
  frame.writeUInt32BE(body.length, 1);
  body.copy(frame, 5);
  for (let sent = 0; sent < frame.length; ) {
    try {
      sent += writeSync(3, frame, sent);
    } catch (error) {
      // EPIPE: the parent has ended, so nobody reads the answer.
      if (error.code !== 'EAGAIN') process.exit(1);
    }
  }
}

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

function captureOutput(name, kind, descriptor) {
  let stream;
  const get = () => {
    stream ??= Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          send(kind, chunk);
          done();
        },
      }),
      { fd: descriptor, isTTY: false },
    );
    return stream;
  };
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
}

async function loadHandler() {
  // `index.handler`: the file without its extension, then the export.
  const name = environment._HANDLER ?? '';
  const dot = name.lastIndexOf('.');
  const stem = `${environment.LAMBDA_TASK_ROOT}/${name.slice(0, dot)}`;
  const file = ['.mjs', '.js', '.cjs'].map((extension) => stem + extension).find((path) => existsSync(path));
  if (!file) throw namedError('Runtime.ImportModuleError', `Cannot find module '${name.slice(0, dot)}'`);
  // An eighth of a cold start's CPU, for code that stays. It is kept at once, since the host kills idle processes.
  const stays = /\/\.cache\/(code|bundles)\//.test(file);
  if (stays) enableCompileCache(`${import.meta.dirname}/../../../.cache/compiled`);
  const module = await import(pathToFileURL(file).href);
  if (stays) flushCompileCache();
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

function contextOf(requestId, deadline) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: '$LATEST',
    invokedFunctionArn: process.argv[2],
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: requestId,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(deadline - Date.now(), 0),
  };
}

async function invoke(handler, text) {
  taken += 1;
  const idEnd = text.indexOf('\n');
  const deadlineEnd = text.indexOf('\n', idEnd + 1);
  const context = contextOf(text.slice(0, idEnd), Number(text.slice(idEnd + 1, deadlineEnd)));
  let payload;
  try {
    payload = JSON.stringify(await handler(JSON.parse(text.slice(deadlineEnd + 1)), context)) ?? 'null';
  } catch (error) {
    const failure = describe(error);
    console.error(`Invoke Error ${failure.trace.join('\n') || failure.errorMessage}`);
    send('F', JSON.stringify(failure));
    return;
  }
  const bytes = Buffer.from(payload);
  if (bytes.length > maximumResponseBytes) {
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${maximumResponseBytes} bytes).`;
    send('F', JSON.stringify({ errorType: 'Function.ResponseSizeTooLarge', errorMessage, trace: [] }));
  } else {
    send('S', bytes);
  }
}

function takeInvocations(handler) {
  const source = new Socket({ fd: 4, readable: true, writable: false });
  let chunks = [];
  let length = 0;
  source.on('data', (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length < 4) return;
    if (chunks[0].length < 4) chunks = [Buffer.concat(chunks)];
    const needed = 4 + chunks[0].readUInt32BE(0);
    // One invocation at a time: the parent sends the next when it has this one's result.
    if (length < needed) return;
    const text = Buffer.concat(chunks).toString('utf8', 4, needed);
    chunks = [];
    length = 0;
    void invoke(handler, text);
  });
  // The parent closed its end or died: an execution environment never outlives the service that made it.
  source.on('error', () => process.exit(0));
  source.on('close', () => process.exit(0));
}

/** For tests: what limits a call waits longer. Other waits are as long as ever, but for one that by chance is as long as a limit. */
function lengthenLimits({ factor, limitsMs }) {
  const [timer, signal] = [globalThis.setTimeout, AbortSignal.timeout];
  const limits = new Set(limitsMs);
  globalThis.setTimeout = Object.assign(
    (callback, ms, ...values) => timer(callback, limits.has(ms) ? ms * factor : ms, ...values),
    timer,
  );
  AbortSignal.timeout = (ms) => signal.call(AbortSignal, ms * factor);
}

if (process.argv[3]) lengthenLimits(JSON.parse(process.argv[3]));
captureOutput('stdout', 'O', 1);
captureOutput('stderr', 'E', 2);
process.on('uncaughtException', (error, origin) => {
  const failure = describe(error);
  if (origin === 'unhandledRejection') failure.errorType = 'Runtime.UnhandledPromiseRejection';
  // Replaces Node's own report, which prints the throwing line: a minified bundle is one line.
  console.error(`Uncaught Exception ${failure.trace.join('\n') || failure.errorMessage}`);
  send('X', JSON.stringify(failure));
  process.exit(1);
});
// Reports whether the last invocation that was sent had begun. If not, another environment can run it.
process.on('exit', () => send('Q', String(taken)));

try {
  takeInvocations(await loadHandler());
  send('R', '');
} catch (error) {
  const failure = describe(error);
  // Lambda's own name for a bundle that does not parse.
  if (failure.errorType === 'SyntaxError') failure.errorType = 'Runtime.UserCodeSyntaxError';
  console.error(`Init Error ${failure.trace.join('\n') || failure.errorMessage}`);
  send('I', JSON.stringify(failure));
  process.exit(1);
}
