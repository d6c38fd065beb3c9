import { expect, test } from 'vitest';
import { bundle, testHost } from './bundle.ts';

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
  const fn = bundle(`export const handler = async (event) => { for (let i = 0; i < 5; i += 1) {
    console.log(event.name); await new Promise((resolve) => setTimeout(resolve, 2));
  } }`);
  const names = Array.from({ length: 20 }, (_, index) => `r-${index}`);
  await Promise.all(names.map((name) => host.invoke(fn, { name }, { requestId: name })));
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
  const fn = bundle(`import { execFileSync, spawnSync } from 'node:child_process';
    export const handler = async () => { spawnSync('/bin/echo', ['from below'], { stdio: 'inherit' }); await new Promise((r) => setTimeout(r, 50)) }`);
  await host.invoke(fn, {}, { requestId: 'r' });
  expect(host.logs).toEqual([{ name: fn.name, requestId: 'r', line: 'from below' }]);
});
