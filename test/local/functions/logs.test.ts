import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { bundle, fileIsThere, testHost } from './bundle.ts';

test('lines come in order, with the request that wrote them, before its result', async () => {
  await using host = testHost();
  const fn = bundle(`console.log('loading'); export const handler = async (event) => {
    console.log('one\\ntwo', event.name); console.error('three'); process.stdout.write('no end of line');
  }`);
  await host.invoke(fn, { name: 'a' }, { requestId: 'r-a' });
  expect(host.logs).toEqual([
    { name: fn.name, requestId: null, line: 'loading' },
    { name: fn.name, requestId: 'r-a', line: 'one' },
    { name: fn.name, requestId: 'r-a', line: 'two a' },
    { name: fn.name, requestId: 'r-a', line: 'three' },
    { name: fn.name, requestId: 'r-a', line: 'no end of line' },
  ]);
});

test('concurrent requests keep their own lines', async () => {
  await using host = testHost();
  const fn = bundle(`${fileIsThere} export const handler = async ({ name, file }) => {
    console.log(name); await fileIsThere(file);
    for (let i = 0; i < 9; i += 1) { console.log(name); await new Promise((resolve) => setImmediate(resolve)); }
  }`);
  const file = join(fn.codeDir, 'all-begun');
  const names = Array.from({ length: 10 }, (_, index) => `r-${index}`);
  const invoked = Promise.all(names.map((name) => host.invoke(fn, { name, file }, { requestId: name })));
  await eventually(() => expect(host.logs).toHaveLength(10));
  writeFileSync(file, '');
  await invoked;
  expect(host.logs).toHaveLength(100);
  expect(host.logs.filter(({ requestId, line }) => requestId !== line)).toEqual([]);
});

test('the last words before an exit are not lost, and a stack is many short lines', async () => {
  await using host = testHost();
  const fn = bundle(`const pad = '${'x'.repeat(5000)}'; export const handler = async () => {
    for (let i = 0; i < 500; i += 1) console.log('line', i); setTimeout(() => { throw new Error('fatal') }); await new Promise(() => {}) }`);
  await host.invoke(fn, {}, { requestId: 'r' });
  const lines = host.logs.map(({ line }) => line);
  expect(lines.filter((line) => line.startsWith('line '))).toHaveLength(500);
  expect(lines.some((line) => line.includes('Uncaught Exception Error: fatal'))).toBe(true);
  expect(lines.some((line) => line.includes('xxxxx'))).toBe(false);
  expect(host.logs.every(({ requestId }) => requestId === 'r')).toBe(true);
});

test('output of a child process of the handler is caught too', async () => {
  await using host = testHost();
  const fn = bundle(`import { spawnSync } from 'node:child_process'; ${fileIsThere}
    export const handler = async (file) => { spawnSync('/bin/echo', ['from below'], { stdio: 'inherit' }); await fileIsThere(file) }`);
  const file = join(fn.codeDir, 'line-seen');
  const invoked = host.invoke(fn, file, { requestId: 'r' });
  await eventually(() => expect(host.logs).toEqual([{ name: fn.name, requestId: 'r', line: 'from below' }]));
  writeFileSync(file, '');
  expect(await invoked).toMatchObject({ ok: true });
  expect(host.logs).toHaveLength(1);
});
