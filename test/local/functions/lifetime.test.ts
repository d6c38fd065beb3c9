import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundle, eventually, isAlive, testHost } from './bundle.ts';

const tellsPid = 'export const handler = async (event) => ({ pid: process.pid, event })';
const pidOf = (result: unknown) => (result as { payload: { pid: number } }).payload.pid;

test('an idle environment is ended, and the next invocation is cold', async () => {
  let time = 0;
  await using host = testHost({ idleMs: 100, now: () => time });
  const fn = bundle(tellsPid);
  const pid = pidOf(await host.invoke(fn, {}));
  time = 99;
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(isAlive(pid)).toBe(true);
  time = 201;
  expect(await eventually(() => !isAlive(pid))).toBe(true);
  expect(pidOf(await host.invoke(fn, {}))).not.toBe(pid);
});

test('what runs when the code is replaced is finished with the old code; the next invocation gets the new', async () => {
  await using host = testHost();
  const source = (text: string) =>
    `export const handler = async (ms) => { await new Promise((r) => setTimeout(r, ms)); return { pid: process.pid, text: '${text}' } }`;
  const old = bundle(source('old'));
  const next = { ...bundle(source('new')), name: old.name };
  const idle = pidOf(await host.invoke(old, 0));
  const running = host.invoke(old, 300);
  await new Promise((resolve) => setTimeout(resolve, 50));
  host.replace(next);
  expect(await host.invoke(next, 0)).toMatchObject({ payload: { text: 'new' } });
  expect(await running).toMatchObject({ payload: { text: 'old' } });
  expect(await eventually(() => !isAlive(idle))).toBe(true);
});

test('close ends what is idle, busy and looping, and answers what waits', async () => {
  const host = testHost({ maxEnvironments: 1 });
  const idle = bundle(tellsPid);
  const pids = [pidOf(await host.invoke(idle, {}))];
  const loops = bundle('console.log(process.pid); export const handler = async () => { for (;;); }');
  const running = host.invoke(loops, {});
  const waiting = host.invoke(loops, {});
  expect(await eventually(() => host.logs.length > 0)).toBe(true);
  pids.push(Number(host.logs[0]?.line));
  await host.close();
  expect(await running).toMatchObject({ ok: false, kind: 'crash' });
  expect(await waiting).toMatchObject({ ok: false, kind: 'rejected' });
  expect(await host.invoke(idle, {})).toMatchObject({ ok: false, kind: 'rejected' });
  expect(pids.filter(isAlive)).toEqual([]);
});

test('children of a handler end with it', async () => {
  const host = testHost();
  const fn = bundle(`import { spawn } from 'node:child_process';
    export const handler = async () => ({ pid: spawn('/bin/sleep', ['60'], { stdio: 'inherit' }).pid })`);
  const pid = pidOf(await host.invoke(fn, {}));
  expect(isAlive(pid)).toBe(true);
  await host.close();
  expect(await eventually(() => !isAlive(pid))).toBe(true);
});

test('children of a handler end with its crash', async () => {
  await using host = testHost();
  const fn = bundle(`import { spawn } from 'node:child_process';
    export const handler = async () => { console.log(spawn('/bin/sleep', ['60']).pid); process.exit(1); }`);
  expect(await host.invoke(fn, {})).toMatchObject({ kind: 'crash' });
  const pid = Number(host.logs[0]?.line);
  expect(pid).toBeGreaterThan(0);
  expect(await eventually(() => !isAlive(pid))).toBe(true);
});

describe('no process is left when the parent is killed', () => {
  test.each([
    ['while the function is idle', 'SIGKILL', 'return 1'],
    ['while the function waits', 'SIGKILL', 'await new Promise(() => {})'],
    ['while the function loops', 'SIGKILL', 'for (;;);'],
    ['by Ctrl-C while the function loops', 'SIGINT', 'for (;;);'],
  ] as const)('%s (%s)', async (_when, signal, does) => {
    const folder = mkdtempSync(join(tmpdir(), 'parent-'));
    const handler = `process.on('SIGINT', () => {}); console.log(process.pid); export const handler = async () => { ${does} }`;
    const fn = { ...bundle(handler), timeoutMs: 60_000 };
    const script = join(folder, 'parent.ts');
    const hostFile = join(import.meta.dirname, '../../../lib/local/functions/host.ts');
    writeFileSync(
      script,
      `import { startFunctions } from ${JSON.stringify(hostFile)};
       const host = startFunctions({ variables: () => ({}), onLog: (fn, id, line) => console.log(line) });
       setInterval(() => {}, 1000);
       host.invoke(${JSON.stringify(fn)}, {});`,
    );
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(chunk.toString());
      expect(isAlive(pid)).toBe(true);
      // Past the init phase, into the handler.
      await new Promise((resolve) => setTimeout(resolve, 200));
      parent.kill(signal);
      await once(parent, 'exit');
      expect(await eventually(() => !isAlive(pid))).toBe(true);
    } finally {
      parent.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
