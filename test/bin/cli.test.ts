import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../bin/cli.ts';
import { importsOf } from '../../bin/source-imports.ts';
import { typed } from '../typed.ts';

const root = join(import.meta.dirname, '..', '..');

test('all commands fit one screen', () => {
  const lines = program.helpInformation().trimEnd().split('\n');
  expect(lines.length).toBeLessThan(48);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  for (const command of program.commands) expect([command.summary(), command.helpGroup()]).not.toContain('');
});

test.each(program.commands)('--help of $_name has an example and exit codes', (command) => {
  let printed = '';
  command.configureOutput({ ...command.configureOutput(), writeOut: (text) => (printed += text) }).outputHelp();
  expect(printed).toMatch(/^Example: npm (start|run) .*$/m);
  expect(printed).toMatch(/^Exit codes: 0 /m);
});

test('help loads nothing that a command needs', () => {
  const allowed = /^(commander|node:path|bin\/(commands|capacity)\/.*|functions\/(product|analytics\/questions)\.ts)$/;
  const loaded = globSync('bin/{cli,commands/*}.ts', { cwd: root }).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return importsOf(file, source.replace(/\bimport\(/g, 'later('));
  });
  expect(loaded.map(({ to }) => to).filter((to) => !allowed.test(to))).toEqual([]);
});

test.each([
  [['pin-sdk', '--help'], 0, ''],
  [['deploi'], 1, "unknown command 'deploi' (Did you mean deploy?); npm run cli -- --help says more\n"],
  [['sbom', 'x'], 1, expect.stringMatching(/^too many arguments .*; npm run cli -- sbom --help says more\n$/)],
  [['licences', '--deployd'], 1, expect.stringMatching(/^unknown option '--deployd' .*\n$/)],
  [['deploy'], 2, expect.stringMatching(/^required option '--stage <stage>' not specified; .*\n$/)],
  [['verify-ledger'], 2, expect.stringMatching(/^name the stage: .*\n$/)],
  [['deploy', '-c', 'stage=x'], 2, expect.stringMatching(/^option '--stage <stage>' argument 'x' is invalid. .*\n$/)],
  [['ask', 'x'], 1, expect.stringMatching(/^command-argument value 'x' is invalid .*\n$/)],
] as const)('%j is refused in one line', async (words, code, err) => {
  expect(await typed(words)).toMatchObject({ code, err });
});

test('without a region it says which variable names one', async () => {
  const { AWS_REGION: _region, AWS_DEFAULT_REGION: _default, ...env } = process.env;
  const none = { ...env, AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
  const { code, err } = await typed(['replay-stream-failures', '--stage', 'dev', '--dry-run'], none);
  expect([code, err]).toEqual([1, expect.stringMatching(/^Region is missing: export AWS_REGION=/)]);
});
