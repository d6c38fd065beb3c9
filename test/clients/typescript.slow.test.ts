import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentOf } from '../../bin/generate.ts';
import { installTool } from '../../bin/tools.ts';
import { applications } from '../../functions/product.ts';
import { baseUrl } from '../api.ts';
import { person } from '../auth/people.ts';

/** Both applications' documents make TypeScript clients that compile strictly, and with them an app gets through its day. */

const root = new URL('../..', import.meta.url).pathname;
const tool = join(root, 'test/tools/clients');
const run = promisify(execFile);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  outDir: 'built',
  rootDir: '.',
};

test('the generated clients compile, and the patient flow runs with them', async () => {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, exclude: ['built'] }));
  const wanted = await Promise.all(
    applications.map(async (application) => {
      const document = join(folder, `${application}.json`);
      await writeFile(document, JSON.stringify(documentOf({ application })));
      return [document, join(folder, application)];
    }),
  );
  installTool(tool);
  await run(process.execPath, [join(tool, 'generate.mjs'), ...wanted.flat()], { cwd: folder });
  await copyFile(join(root, 'test/clients/patient-flow.ts'), join(folder, 'patient-flow.ts'));
  const { stdout: problems } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error);
  expect(problems).toBe('');

  const people = (['patient', 'physician'] as const)
    .map((role) => person(role))
    .map(({ username, password }) => `${username}:${password}`);
  const bases = applications.map((application) => baseUrl(application));
  const { stdout } = await run(process.execPath, [join(folder, 'built/patient-flow.js'), ...bases, ...people]);
  expect(stdout).toBe('the patient flow is through\n');
});
