import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesThatRunAlone } from '../slow.config.ts';
import { allFiles, isReachedBy } from '../verify/reach.ts';
import { gateFiles, shards, testFiles } from '../verify/shards.ts';
import { leftToDeployed, leftToSlow } from '../vitest.config.ts';

const verified = shards.flatMap(({ files }) => files);

test('each test file is in the gate or in verify', () => {
  expect(testFiles.filter((file) => !gateFiles.includes(file) && !verified.includes(file))).toEqual([]);
});

test('what the lists name is there', () => {
  const named = [
    ...gateFiles,
    ...verified.filter((file) => file.endsWith('.test.ts')),
    ...leftToDeployed,
    ...leftToSlow,
  ];
  expect(named.filter((file) => !testFiles.includes(file))).toEqual([]);
});

test('no shard has the name of another one, and each has something to do', () => {
  const names = shards.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(shards.filter(({ isTests, files }) => isTests && files.length === 0)).toEqual([]);
});

test('what is judged by the limits of AWS, or keeps both cores busy, runs alone', () => {
  const patient = shards.filter(({ isTests, isAlone }) => isTests && !isAlone).flatMap(({ files }) => files);
  const impatient = patient.filter((file) => /\bpatience: 1\b/.test(readFileSync(file, 'utf8')));
  expect(impatient).toEqual([]);
  expect(patient.filter((file) => filesThatRunAlone.includes(file))).toEqual([]);
  expect(patient.length).toBeGreaterThan(100);
});

test('a change of a command reaches the shards whose tests start it, and not all', () => {
  const files = allFiles();
  const reached = shards.filter((shard) => shard.isTests && isReachedBy(shard, ['bin/preflight.ts'], files));
  expect(reached.map(({ name }) => name)).toContain('slow bin');
  expect(reached.length).toBeLessThan(shards.length / 2);
});
