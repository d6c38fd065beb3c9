// Lambda's Node.js runtime, inside the child process: loads the handler, runs one invocation after the other.
//
// File descriptor 4 brings invocations; 3 takes results and log lines away. Descriptor 3 is written synchronously, so
// log lines stay before their result and `process.exit()` loses none.

import { writeSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { answer, initFailure, lengthenLimits, loadHandler, uncaught } from './lambda.mjs';

const environment = process.env;
const log = (line) => console.error(line);
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

async function load(file) {
  // An eighth of a cold start's CPU, for code that stays. It is kept at once, since the host kills idle processes.
  const stays = /\/\.cache\/bundles\//.test(file);
  if (stays) enableCompileCache(`${import.meta.dirname}/../../../.cache/compiled`);
  const module = await import(pathToFileURL(file).href);
  if (stays) flushCompileCache();
  return module;
}

function invoke(handler, text) {
  taken += 1;
  const idEnd = text.indexOf('\n');
  const deadlineEnd = text.indexOf('\n', idEnd + 1);
  const order = {
    arn: process.argv[2],
    requestId: text.slice(0, idEnd),
    deadline: Number(text.slice(idEnd + 1, deadlineEnd)),
    event: text.slice(deadlineEnd + 1),
  };
  return answer(handler, environment, order, { log, say: send });
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

if (process.argv[3]) lengthenLimits(JSON.parse(process.argv[3]));
captureOutput('stdout', 'O', 1);
captureOutput('stderr', 'E', 2);
process.on('uncaughtException', (error, origin) => {
  send('X', JSON.stringify(uncaught(error, origin === 'unhandledRejection', log)));
  process.exit(1);
});
// Reports whether the last invocation that was sent had begun. If not, another environment can run it.
process.on('exit', () => send('Q', String(taken)));

try {
  takeInvocations(await loadHandler(environment, load));
  send('R', '');
} catch (error) {
  send('I', JSON.stringify(initFailure(error, log)));
  process.exit(1);
}
