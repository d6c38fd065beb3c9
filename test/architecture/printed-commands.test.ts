import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../bin/cli.ts';
import manifest from '../../package.json' with { type: 'json' };
import { argumentsOf, printedCommands, scriptOf } from './printed-commands.ts';

/** That each can be typed; `printed-commands.slow.test.ts` types them. */

const root = new URL('../..', import.meta.url).pathname;
const printed = printedCommands();
const scripts: Readonly<Record<string, string>> = manifest.scripts;

test('they are found, those of the runbook and of restoring too', () => {
  expect(printed.length).toBeGreaterThan(40);
  const all = printed.map(({ command }) => command);
  expect(all).toContain('npm run cdk -- bootstrap -c stage=dev');
  expect(all).toContain('npm run cli -- destroy --stage dev');
  expect(all).toContain('npm run cli -- preflight --stage dev --probe');
  expect(all).toContain('npm run cli -- replay-stream-failures --stage dev --dry-run');
  expect(all).toContain('npm run cli -- restore-drill --stage prod --equip NEW --table ConsentRecords');
});

describe.each(printed)('$command', ({ command, file }) => {
  const isOfCli = /^npm run (-s )?cli -- [a-z]/.test(command);
  const script = isOfCli ? undefined : scripts[scriptOf(command)];
  const name = isOfCli ? scriptOf(command) : /bin\/cli\.ts ([a-z-]+)$/.exec(script ?? '')?.[1];
  const declared = program.commands.find((each) => each.name() === name);

  test(`${file}: it is there, and knows its options`, () => {
    expect(declared ?? script).toBeDefined();
    if (declared) expect(declared.parseOptions(argumentsOf(command)).unknown).toEqual([]);
    const [, source] = /bin\/require-node\.cjs (test\/\S+\.ts)/.exec(script ?? '') ?? [];
    if (!source) return;
    const text = readFileSync(join(root, source), 'utf8');
    for (const argument of argumentsOf(command)) {
      const [, option] = /^--([\w-]+)/.exec(argument) ?? [];
      if (option) expect(text, argument).toMatch(new RegExp(`'--${option}[ ']`));
    }
  });

  test(`${file}: the CDK gets its stage`, () => {
    if (!/^npm run (cdk|synth)\b/.test(command) || command.split(' ').length < 4) return;
    expect(command).toMatch(/ -c stage=(dev|staging|prod)/);
  });
});

test('no document asks for npx: the project’s own cdk and node are what is tested', () => {
  const told = ['README.md', 'docs/runbook.md', 'docs/restore.md', 'docs/deploying.md', 'bin/preflight-checks.ts'];
  for (const file of told) expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/\bnpx\b/);
});
