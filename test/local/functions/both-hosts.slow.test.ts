import { describe, expect, test } from 'vitest';
import type { InvokeResult } from '../../../lib/local/functions/result.ts';
import { bundle, fileIsThere, testHost } from './bundle.ts';

/** What a function does wrong, and what comes of it: in a process of its own and in the thread of all functions the same. */

const does = (wrong: string) => `let calls = 0;
  export const handler = async (event) => { calls += 1; if (event.fail) { ${wrong} } return { calls } };`;

type Case = {
  readonly source: string;
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  readonly initTimeoutMs?: number;
};

const cases: Readonly<Record<string, Case>> = {
  'throws an error': { source: does("throw new RangeError('too far')") },
  'throws a text': { source: does("throw 'text'") },
  'throws null': { source: does('throw null') },
  'throws what has no text': { source: does('throw Object.create(null)') },
  'returns what is no JSON': { source: does('return 1n') },
  'returns nothing': { source: does('return') },
  'returns more than Lambda takes': { source: does("return 'x'.repeat(6_291_557)") },
  'exits with 0': { source: does('process.exit(0)') },
  'exits with 3': { source: does('process.exit(3)') },
  'kills its process': { source: does("process.kill(process.pid, 'SIGKILL')") },
  'throws in a timer': {
    source: does("setTimeout(() => { throw new Error('late') }, 1); await new Promise(() => {})"),
  },
  'leaves a promise rejected': { source: does("Promise.reject(new Error('lost')); await new Promise(() => {})") },
  'waits for nothing': { source: does('await new Promise(() => {})'), timeoutMs: 1000 },
  loops: { source: does('for (;;);'), timeoutMs: 1000 },
  'fills its memory': {
    source: does('const kept = []; for (;;) kept.push(new Array(1_000_000).fill(0.5))'),
    memoryMb: 64,
    timeoutMs: 120_000,
  },
  'does not parse': { source: 'export const handler = async () => {' },
  'throws while it is loaded': { source: "throw new TypeError('at the top')" },
  'loops while it is loaded': { source: 'for (;;); export const handler = async () => 1', initTimeoutMs: 1000 },
  'exits while it is loaded': { source: 'process.exit(7)' },
  'has no handler': { source: 'export const other = 1' },
  'has a handler that is none': { source: 'export const handler = 1' },
  'takes a callback': { source: 'export const handler = (event, context, callback) => callback(null, 1)' },
  'leaves an open line': { source: does("process.stdout.write('no end of line'); return 1") },
  'writes to both outputs': { source: does("console.log('out'); console.error('err'); return 1") },
  'changes what all see': {
    source: does("globalThis.left = 1; process.env.LEFT = '1'; return [globalThis.left, process.env.LEFT]"),
  },
};

/** What says nothing of how it ran. */
function seen(result: InvokeResult) {
  if (result.ok) return { ok: true, payload: result.payload };
  const { kind, errorType, errorMessage } = result;
  // V8's words about a text that does not parse are esbuild's in the thread.
  return { ok: false, kind, errorType, ...(errorType !== 'Runtime.UserCodeSyntaxError' && { errorMessage }) };
}

async function run({ source, initTimeoutMs = 60_000, timeoutMs = 60_000, memoryMb = 256 }: Case, inThread: boolean) {
  await using host = testHost({ inThread, initTimeoutMs });
  const fn = bundle(source, { timeoutMs, memoryMb });
  const calls = [{}, { fail: true }, {}, {}];
  const results = [];
  for (const event of calls) results.push(seen(await host.invoke(fn, event, { requestId: `r-${results.length}` })));
  const lines = host.logs.filter(({ line }) => !/^\s+at |^\s*$|ERROR:/.test(line));
  return {
    results,
    lines: lines.map(({ requestId, line }) => [requestId, /^(\w+ Error|Uncaught Exception)/.exec(line)?.[0] ?? line]),
  };
}

describe.each(Object.entries(cases))('a function that %s', (_name, wrong) => {
  test('is the same in a process and in the thread', async () => {
    const [inProcess, inThread] = [await run(wrong, false), await run(wrong, true)];
    // What V8 prints when a heap is full is of the process.
    if (wrong.memoryMb !== undefined) expect(inThread.results).toEqual(inProcess.results);
    else expect(inThread).toEqual(inProcess);
  });
});

describe('in the thread', () => {
  test('a host that is closed answers also what had not begun', async () => {
    await using host = testHost({ inThread: true });
    const busy = bundle(
      'export const handler = async ({ ms }) => { for (const end = Date.now() + ms; Date.now() < end; ); return 1 }',
    );
    await Promise.all([host.invoke(busy, { ms: 0 }), host.invoke(busy, { ms: 0 })]);
    const under = [host.invoke(busy, { ms: 300 }), host.invoke(busy, { ms: 300 })];
    await host.close();
    expect((await Promise.all(under)).map(({ ok }) => ok)).toEqual([false, false]);
  });

  test('what one function leaves in globals reaches no other', async () => {
    await using host = testHost({ inThread: true });
    const leaves = bundle(
      `export const handler = async () => {
        globalThis.left = 1; process.env.LEFT = '1';
        try { Date.now = () => 0; Math.max = () => 0; JSON.parse = () => 0; } catch {}
        return 1;
      }`,
    );
    const looks = bundle(
      `export const handler = async () => [typeof globalThis.left, process.env.LEFT ?? null, Date.now() > 0, Math.max(1, 2), JSON.parse('3')]`,
    );
    expect(await host.invoke(leaves, {})).toMatchObject({ ok: true });
    expect(await host.invoke(looks, {})).toMatchObject({ payload: ['undefined', null, true, 2, 3] });
  });

  test('a timer that outlives its invocation runs in the next one, and none of an environment that has ended', async () => {
    await using host = testHost({ inThread: true });
    const fn = bundle(
      `${fileIsThere} let late = 0; export const handler = async ({ leave, end }) => {
        if (leave) { setTimeout(() => { late += 1; }, 1); return late; }
        if (end) { setInterval(() => console.log('still here'), 1); process.exit(1); }
        while (late === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        return late;
      }`,
    );
    expect(await host.invoke(fn, { leave: true })).toMatchObject({ payload: 0 });
    expect(await host.invoke(fn, {})).toMatchObject({ payload: 1 });
    expect(await host.invoke(fn, { end: true })).toMatchObject({ kind: 'crash' });
    await host.invoke(fn, { leave: true });
    await host.invoke(fn, {});
    expect(host.logs.filter(({ line }) => line === 'still here')).toEqual([]);
  });

  test('an endless loop ends what is under way beside it as a crash, and both go on in a new thread', async () => {
    await using host = testHost({ inThread: true });
    const waits = bundle(
      "export const handler = async ({ wait }) => { if (wait) { console.log('begun'); await new Promise(() => {}) } return 1 }",
    );
    const loops = bundle('export const handler = async ({ loop }) => { for (; loop; ); return 1 }', { timeoutMs: 500 });
    const beside = host.invoke(waits, { wait: true });
    expect(await host.invoke(loops, { loop: true })).toMatchObject({ kind: 'timeout' });
    expect(await beside).toMatchObject({ kind: 'crash' });
    expect(await host.invoke(waits, {})).toMatchObject({ ok: true });
    expect(await host.invoke(loops, {})).toMatchObject({ ok: true });
  });

  test('an error that nobody caught ends the environment that it is of, and no other', async () => {
    await using host = testHost({ inThread: true });
    const waits = bundle(
      `${fileIsThere} export const handler = async ({ file }) => { console.log('begun'); await fileIsThere(file); return 1 }`,
    );
    const loses = bundle(
      "export const handler = async () => { Promise.reject(new Error('lost')); await new Promise(() => {}) }",
    );
    const file = `${waits.codeDir}/go-on`;
    const beside = host.invoke(waits, { file });
    expect(await host.invoke(loses, {})).toMatchObject({ kind: 'crash', errorMessage: 'lost' });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(file, '');
    expect(await beside).toMatchObject({ ok: true });
  });
});
