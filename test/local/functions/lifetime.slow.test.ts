import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { bundle, fileIsThere, isAlive, testHost } from './bundle.ts';

const tellsPid = 'export const handler = async (event) => ({ pid: process.pid, event })';
const pidOf = (result: unknown) => (result as { payload: { pid: number } }).payload.pid;

test('an idle environment is ended, and the next invocation is cold', async () => {
  let time = 0;
  let looks = 0;
  const now = () => {
    looks += 1;
    return time;
  };
  await using host = testHost({ idleMs: 20, now });
  const fn = bundle(tellsPid);
  const pid = pidOf(await host.invoke(fn, {}));
  time = 19;
  const before = looks;
  await eventually(() => expect(looks).toBeGreaterThan(before + 1));
  expect(pidOf(await host.invoke(fn, {}))).toBe(pid);
  time = 40;
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect(pidOf(await host.invoke(fn, {}))).not.toBe(pid);
});

test('what runs when the code is replaced is finished with the old code; the next invocation gets the new', async () => {
  await using host = testHost();
  const source = (text: string) => `${fileIsThere} export const handler = async (file) => {
    console.log('begun'); if (file) await fileIsThere(file); return { pid: process.pid, text: '${text}' }
  }`;
  const old = bundle(source('old'));
  const next = { ...bundle(source('new')), name: old.name };
  const idle = pidOf(await host.invoke(old, null));
  const file = join(old.codeDir, 'replaced');
  const running = host.invoke(old, file, { requestId: 'running' });
  await eventually(() => expect(host.logs.at(-1)?.requestId).toBe('running'));
  host.replace(next);
  expect(await host.invoke(next, null)).toMatchObject({ payload: { text: 'new' } });
  writeFileSync(file, '');
  expect(await running).toMatchObject({ payload: { text: 'old' } });
  await eventually(() => expect(isAlive(idle)).toBe(false));
});

test('close ends what is idle, busy and looping, and answers what waits', async () => {
  const host = testHost({ maxEnvironments: 1 });
  const idle = bundle(tellsPid);
  const waits = bundle('export const handler = async () => { console.log(process.pid); await new Promise(() => {}) }');
  const loops = bundle('export const handler = async () => { console.log(process.pid); for (;;); }');
  const pids = [pidOf(await host.invoke(idle, {}))];
  const running = [host.invoke(waits, {}), host.invoke(loops, {})];
  const waiting = host.invoke(loops, {});
  await eventually(() => expect(host.logs).toHaveLength(2));
  pids.push(...host.logs.map(({ line }) => Number(line)));
  await host.close();
  for (const result of running) expect(await result).toMatchObject({ ok: false, kind: 'crash' });
  expect(await waiting).toMatchObject({ ok: false, kind: 'rejected' });
  expect(await host.invoke(idle, {})).toMatchObject({ ok: false, kind: 'rejected' });
  expect(pids.filter(isAlive)).toEqual([]);
});

test('children of a handler end with it', async () => {
  const host = testHost();
  const fn = bundle(`import { spawn } from 'node:child_process';
    export const handler = async () => ({ pid: spawn('/bin/sleep', ['3600'], { stdio: 'inherit' }).pid })`);
  const pid = pidOf(await host.invoke(fn, {}));
  expect(isAlive(pid)).toBe(true);
  await host.close();
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

test('children of a handler end with its crash', async () => {
  await using host = testHost();
  const fn = bundle(`import { spawn } from 'node:child_process';
    export const handler = async () => { console.log(spawn('/bin/sleep', ['3600']).pid); process.exit(1); }`);
  expect(await host.invoke(fn, {})).toMatchObject({ kind: 'crash' });
  const pid = Number(host.logs[0]?.line);
  expect(pid).toBeGreaterThan(0);
  await eventually(() => expect(isAlive(pid)).toBe(false));
});

test('a crash is reported while a descendant in a group of its own still holds the output open', async () => {
  await using host = testHost();
  const fn = bundle(`import { spawn, spawnSync } from 'node:child_process';
    process.on('exit', () => spawnSync('/bin/echo', ['last words'], { stdio: 'inherit' }));
    export const handler = async () => {
      console.log(spawn('/bin/sleep', ['3600'], { stdio: 'inherit', detached: true }).pid);
      setImmediate(() => { throw new Error('late') }); await new Promise(() => {})
    }`);
  const result = await host.invoke(fn, {}, { requestId: 'r' });
  const pid = Number(host.logs[0]?.line);
  try {
    expect(result).toMatchObject({ kind: 'crash', errorMessage: 'late' });
    expect(host.logs.at(-1)).toMatchObject({ requestId: 'r', line: 'last words' });
    expect(isAlive(pid)).toBe(true);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});

describe('no process is left when the parent is killed', () => {
  test.each([
    ['while the function is idle', 'SIGKILL', 'return 1', 'answered'],
    ['while the function waits', 'SIGKILL', 'await new Promise(() => {})', 'begun'],
    ['while the function loops', 'SIGKILL', 'for (;;);', 'begun'],
    ['by Ctrl-C while the function loops', 'SIGINT', 'for (;;);', 'begun'],
  ] as const)('%s (%s)', async (_when, signal, does, last) => {
    const folder = mkdtempSync(join(tmpdir(), 'parent-'));
    const fn = bundle(`process.on('SIGINT', () => {}); console.log(process.pid);
      export const handler = async () => { console.log('begun'); ${does} }`);
    const script = join(folder, 'parent.ts');
    const hostFile = join(import.meta.dirname, '../../../lib/local/functions/host.ts');
    writeFileSync(
      script,
      `import { startFunctions } from ${JSON.stringify(hostFile)};
       const host = startFunctions({ variables: () => ({}), onLog: (fn, id, line) => console.log(line) });
       setInterval(() => {}, 1000);
       host.invoke(${JSON.stringify(fn)}, {}).then(() => console.log('answered'));`,
    );
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    parent.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    try {
      await eventually(() => expect(output).toContain(`${last}\n`));
      const pid = Number.parseInt(output, 10);
      expect(isAlive(pid)).toBe(true);
      parent.kill(signal);
      await once(parent, 'exit');
      await eventually(() => expect(isAlive(pid)).toBe(false));
    } finally {
      parent.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
