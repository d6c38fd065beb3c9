import { isMainThread, parentPort } from 'node:worker_threads';
import { exportsOf } from '../../lib/bundle/require-builtins.ts';

/** Answers what `exportsOf` says where this is run: in a process, a forked one or a worker thread. */

const ids: string[] = JSON.parse(process.env.MODULES ?? '[]');
const found = ids.map(exportsOf);
if (!isMainThread) parentPort?.postMessage(found);
else if (process.send) process.send(found);
else console.log(JSON.stringify(found));
