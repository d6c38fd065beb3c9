import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { bundle, isAlive, testHost } from './bundle.ts';

/** Does what the event says; else tells its process. */
const unruly = (does: string) =>
  `export const handler = async (event) => { if (event.fail) { ${does} } return process.pid }`;

describe('an error of the handler', () => {
  test('is reported by its name, and the environment lives on', async () => {
    await using host = testHost();
    const fn = bundle(unruly("throw new RangeError('too far')"));
    const first = await host.invoke(fn, {});
    const failed = await host.invoke(fn, { fail: true });
    expect(failed).toMatchObject({ ok: false, kind: 'error', errorType: 'RangeError', errorMessage: 'too far' });
    expect(!failed.ok && failed.trace.length).toBeGreaterThan(1);
    expect(await host.invoke(fn, {})).toMatchObject({ payload: first.ok && first.payload });
  });

  test.each([
    ["throw 'text'", 'string', 'text'],
    ['throw null', 'object', 'null'],
    ['throw Object.create(null)', 'object', 'Unknown'],
    ['return 1n', 'TypeError', 'Do not know how to serialize a BigInt'],
  ])('%s', async (does, errorType, errorMessage) => {
    await using host = testHost();
    const fn = bundle(unruly(does));
    expect(await host.invoke(fn, { fail: true })).toMatchObject({ kind: 'error', errorType, errorMessage });
  });
});

describe('a crash fails its invocation, and the next one gets a fresh environment', () => {
  test.each([
    ['process.exit(0)', 'Runtime.ExitError', 'exit status 0'],
    ['process.exit(3)', 'Runtime.ExitError', 'exit status 3'],
    ["process.kill(process.pid, 'SIGKILL')", 'Runtime.ExitError', 'signal: killed'],
    ["setTimeout(() => { throw new Error('late') }, 1); await new Promise(() => {})", 'Error', 'late'],
    ["Promise.reject(new Error('lost')); await new Promise(() => {})", 'Runtime.UnhandledPromiseRejection', 'lost'],
  ])('%s', async (does, errorType, message) => {
    await using host = testHost();
    const fn = bundle(unruly(does));
    const before = await host.invoke(fn, {});
    expect(await host.invoke(fn, { fail: true })).toMatchObject({
      ok: false,
      kind: 'crash',
      errorType,
      errorMessage: expect.stringContaining(message),
    });
    const after = await host.invoke(fn, {});
    expect(after.ok && before.ok && after.payload !== before.payload).toBe(true);
  });

  test('out of memory', async () => {
    await using host = testHost();
    const fn = bundle(unruly('const kept = []; for (;;) kept.push(new Array(100000).fill({}).map(() => ({})))'), {
      memoryMb: 64,
    });
    const result = await host.invoke(fn, { fail: true });
    expect(result).toMatchObject({ ok: false, kind: 'crash', errorType: 'Runtime.OutOfMemory' });
    expect(host.logs.some(({ line }) => line.includes('heap out of memory'))).toBe(true);
    expect(await host.invoke(fn, {})).toMatchObject({ ok: true });
  });
});

describe('a function that does not end', () => {
  test.each([
    ['waits', 'await new Promise(() => {})'],
    ['loops', 'for (;;);'],
  ])('%s: is killed at its time-out', async (_how, does) => {
    await using host = testHost();
    const fn = bundle(`console.log(process.pid); ${unruly(does)}`, { timeoutMs: 150 });
    const pids = () => host.logs.filter(({ requestId }) => requestId === null).map(({ line }) => Number(line));
    const result = await host.invoke(fn, { fail: true }, { requestId: 'r-9' });
    expect(result).toMatchObject({ ok: false, kind: 'timeout', errorType: 'Sandbox.Timedout' });
    expect(!result.ok && result.errorMessage).toContain('Task timed out after 0.15 seconds');
    expect(host.logs.at(-1)).toMatchObject({ requestId: 'r-9', line: expect.stringContaining('timed out') });
    const [pid = 0] = pids();
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await host.invoke(fn, {});
    expect(new Set(pids()).size).toBe(2);
    // On a busy machine 150 ms may pass before a healthy handler has answered.
    await eventually(async () => expect(await host.invoke(fn, {})).toMatchObject({ ok: true }));
  });

  test('the clock starts with the invocation, not with the cold start', async () => {
    await using host = testHost();
    const source = `await new Promise((resolve) => setTimeout(resolve, 300)); ${unruly('')}`;
    // Each cold start takes longer than the time-out. On a busy machine a handler may, too.
    await eventually(async () =>
      expect(await host.invoke(bundle(source, { timeoutMs: 200 }), {})).toMatchObject({
        ok: true,
        initMs: expect.any(Number),
      }),
    );
  });

  test('an init that takes too long fails', async () => {
    await using host = testHost({ initTimeoutMs: 200 });
    const fn = bundle('for (;;); export const handler = async () => 1');
    expect(await host.invoke(fn, {})).toMatchObject({ ok: false, kind: 'init', errorType: 'Sandbox.Timedout' });
  });
});

describe('what cannot be loaded', () => {
  test.each([
    ['export const handler = async () => {', 'Runtime.UserCodeSyntaxError'],
    ["throw new TypeError('at the top')", 'TypeError'],
    ['export const other = 1', 'Runtime.HandlerNotFound'],
    ['export const handler = 1', 'Runtime.HandlerNotFound'],
    ['export const handler = (event, context, callback) => callback(null, 1)', 'Runtime.CallbackHandlerDeprecated'],
    ['process.exit(7)', 'Runtime.ExitError'],
  ])('%s', async (source, errorType) => {
    await using host = testHost();
    expect(await host.invoke(bundle(source), {})).toMatchObject({ ok: false, kind: 'init', errorType });
  });

  test('a folder that is not there', async () => {
    await using host = testHost();
    const fn = bundle('', { codeDir: '/does/not/exist' });
    expect(await host.invoke(fn, {})).toMatchObject({ ok: false, kind: 'init' });
  });

  test('every waiting invocation fails, and a repaired bundle answers', async () => {
    await using host = testHost({ maxEnvironments: 2 });
    const fn = bundle("throw new Error('broken')");
    const results = await Promise.all(Array.from({ length: 5 }, () => host.invoke(fn, {})));
    expect(results.map((result) => !result.ok && result.kind)).toEqual(Array(5).fill('init'));
    writeFileSync(join(fn.codeDir, 'index.mjs'), 'export const handler = async () => 1');
    expect(await host.invoke(fn, {})).toMatchObject({ ok: true });
  });
});

test('an invocation sent to a process that was already ending is begun elsewhere', async () => {
  await using host = testHost();
  const fn = bundle(
    'export const handler = async (event) => { if (event.leave) setImmediate(() => process.exit(1)); return 1 }',
  );
  for (let round = 0; round < 5; round += 1) {
    expect(await host.invoke(fn, { leave: true })).toMatchObject({ ok: true });
    expect(await host.invoke(fn, {})).toMatchObject({ ok: true });
  }
});
