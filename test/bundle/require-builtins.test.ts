import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { exportsOf } from '../../lib/bundle/require-builtins.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'exports-of-node.ts');

// Without those that warn, that a worker thread does not have, or that no function needs.
const ids = builtinModules.filter((name) => !/^(_|node:|inspector|punycode|sys|trace_events|wasi)/.test(name));

/** A deploy bundles in a process of its own, the local stage in a worker thread, a test wherever vitest has put it. */
test('the exports of Node’s modules are the same in a process, a forked one and a worker thread', async () => {
  const env = { MODULES: JSON.stringify(ids.map((id) => `node:${id}`)) };
  const { stdout } = await run(process.execPath, [script], { env, maxBuffer: 2 ** 24 });
  const alone: string[] = JSON.parse(stdout);
  const [forked] = await once(fork(script, { env, silent: true }), 'message');
  const [threaded] = await once(new Worker(script, { env }), 'message');
  expect(alone.length).toBeGreaterThan(40);
  expect(forked).toEqual(alone);
  expect(threaded).toEqual(alone);
});

test('what the SDK imports of process is among them, and what depends on how the process was started is not', () => {
  const written = exportsOf('node:process');
  for (const name of ['env', 'versions']) expect(written).toContain(` as ${name} `);
  for (const name of ['send', 'connected', 'emit', '_debugProcess']) expect(written).not.toContain(` as ${name} `);
});
