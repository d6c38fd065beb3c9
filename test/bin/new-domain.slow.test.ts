import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installTool } from '../../bin/tools.ts';
import { hangMs } from '../hang.ts';

/** The command in a copy of the project, and what `npm run check` and the new domain's tests say of what it wrote. */

const project = join(import.meta.dirname, '..', '..');
const copied = ['.ci', 'bin', 'docs', 'functions', 'lib', 'test'];
const files = [
  '.biome.json',
  '.editorconfig',
  '.gitignore',
  '.knip.json',
  '.npmrc',
  '.nvmrc',
  'LICENSE',
  'README.md',
  'cdk.json',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];
/** What `npm run generate` writes, and the snapshots of the templates. */
const generated = [
  /^docs\/(data|errors|roles|routes|security\/functions)\.md$/,
  /^docs\/openapi\.json$/,
  /^functions\/(generated\/.*|.*-generated)\.ts$/,
  /^test\/stack\/__snapshots__\/(dev|staging|prod|hashes)\.txt$/,
];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mobile-health-new-domain-'));
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const name of [...copied, ...files]) {
    await cp(join(project, name), join(folder, name), { recursive: true, filter });
  }
  // A test asks git which files there are.
  await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder });
  // Of the tools, those that `npm run check` needs.
  for (const tool of ['bin/tools/lint', 'bin/tools/openapi']) installTool(join(project, tool));
  for (const place of ['.', 'bin/tools/lint', 'bin/tools/openapi']) {
    symlinkSync(join(project, place, 'node_modules'), join(folder, place, 'node_modules'));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function npm(...args: string[]): Promise<string> {
  // Vitest's own variables would make the inner run one of its workers.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', ...args], { cwd: folder, env });
  return stdout;
}

function textsOf(): Map<string, string> {
  const paths = copied.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  return new Map([...paths, ...files].map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

// Of five minutes on a busy machine, most are the inner tests'.
const limit = 3 * hangMs;

test('a new domain is its folders, one line and generated files, and passes the checks and its tests', {
  timeout: limit,
}, async () => {
  const before = textsOf();
  await npm('cli', '--', 'new-domain', 'probe');
  const after = textsOf();
  const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  const own = changed.filter((path) => /^(functions|test)\/probe\//.test(path));
  const others = changed.filter((path) => !own.includes(path) && !generated.some((form) => form.test(path)));
  expect(own).toContain('functions/probe/routes.ts');
  expect(others.toSorted()).toEqual(['docs/security/roles.md', 'functions/domains.ts']);
  expect(before.size).toBe(after.size - own.length);
  const lines = (text = '') => text.split('\n');
  const added = (path: string) => lines(after.get(path)).length - lines(before.get(path)).length;
  expect(['functions/domains.ts', 'docs/security/roles.md'].map(added)).toEqual([1, 1]);

  await npm('check');
  // Of the project's own tests, those that look at every domain.
  const folders = ['probe', 'architecture', 'capacity', 'stack', 'personal-exports', 'iam'].map(
    (name) => `test/${name}`,
  );
  await npm('test', '--', ...folders, '--reporter=dot');
});

test('once more changes nothing and says why', async () => {
  const before = textsOf();
  await expect(npm('cli', '--', 'new-domain', 'probe')).rejects.toMatchObject({
    stderr: 'these exist already: functions/probe, test/probe\n',
  });
  expect(textsOf()).toEqual(before);
});
