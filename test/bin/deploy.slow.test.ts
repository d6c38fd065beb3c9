import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { synthesize } from '../../bin/stage.ts';
import { readAssembly } from '../../lib/local/index.ts';
import { startAwsAccount, variablesFor } from './aws-account.ts';
import { plantStage, sharedName } from './planted-stage.ts';

/** The command as it is run, with a program in the CDK's place that notes its arguments, and what is in the assembly. */

const root = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'mobile-health-deploy-'));
const [program, notes] = [join(folder, 'cdk.mjs'), join(folder, 'notes.json')];
writeFileSync(
  program,
  `import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
const words = process.argv.slice(2);
const folder = words[words.indexOf('--app') + 1];
const isThere = existsSync(folder + '/manifest.json');
const kept = readdirSync(folder).flatMap((file) => {
  if (!file.endsWith('.template.json') || /(Account|Dashboard)\\.template/.test(file)) return [];
  const { Resources } = JSON.parse(readFileSync(folder + '/' + file, 'utf8'));
  return Object.entries(Resources).flatMap(([id, { DeletionPolicy, Properties: made = {} }]) => {
    const isProtected = made.DeletionProtectionEnabled === true || made.DeletionProtection === 'ACTIVE';
    return isProtected || DeletionPolicy === 'Retain' ? [id] : [];
  });
});
appendFileSync(process.env.NOTES, JSON.stringify({ words, isThere, kept }) + '\\n');
if (process.env.INTERRUPTS) process.kill(process.ppid, 'SIGINT');
await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', body: 'Action=CdkDeployed' }).catch(() => undefined);
process.exitCode = Number(process.env.ENDS_WITH ?? 0);
`,
);

const account = await startAwsAccount();
afterAll(() => account.close());
beforeEach(async () => {
  await plantStage(account, 'dev');
  writeFileSync(notes, '');
});

/** When the CDK's place is taken. */
function onDeployed(act: () => void): void {
  account.on = (action) => {
    if (action === 'CdkDeployed') act();
  };
}

async function deploy(typed: string, words: readonly string[], more: Record<string, string> = {}, stage = 'dev') {
  const env = { ...process.env, ...variablesFor(account), NOTES: notes, ...more };
  const child = spawn(process.execPath, ['bin/cli.ts', 'deploy', '--stage', stage, '--cdk', program, ...words], {
    cwd: root,
    env,
  });
  child.stdin.end(typed);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

type Call = { words: string[]; isThere: boolean; kept: string[] };
const calls = (): Call[] =>
  readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const called = (): Call | null => calls()[0] ?? null;

describe('npm run deploy', () => {
  test('0: it says where, asks, and has the CDK deploy the very assembly that it compared', async () => {
    const { code, out, err } = await deploy('dev\n', []);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Account 111122223333, region eu-central-1:\n/);
    expect(out).toMatch(/^MobileHealth-dev-State: no change$/m);
    const { words, isThere } = called() ?? { words: [], isThere: false };
    expect(words).toEqual([
      'deploy',
      '--all',
      '--app',
      expect.stringMatching(/\/\.cache\/stages\/dev\/\w+\/assembly$/),
    ]);
    expect(isThere).toBe(true);
  });

  test('a stack of prod that is not there is made without protection, and then protected', async () => {
    account.stacks.set('MobileHealth-prod-State', { status: 'ROLLBACK_COMPLETE', template: '{}' });
    const { code } = await deploy('prod\n', [], {}, 'prod');
    expect(code).toBe(0);
    expect(calls().map(({ words }) => words.slice(4))).toEqual([[], ['--require-approval', 'never']]);
    const [first, second] = calls().map(({ kept }) => kept);
    expect(first).toEqual(['BucketAccessLogs']);
    expect(second?.length).toBeGreaterThan(300);
    const { directory } = await synthesize('prod', { asDeployed: true, validates: true });
    for (const { name, template } of readAssembly(directory)) {
      account.stacks.set(name, { status: 'CREATE_COMPLETE', template: JSON.stringify(template) });
    }
    writeFileSync(notes, '');
    await deploy('prod\n', [], {}, 'prod');
    expect(calls().map(({ kept }) => kept.length)).toEqual([second?.length]);
  });

  test('2: another name is typed, and the CDK is not called', async () => {
    const { code, out } = await deploy('prod\n', []);
    expect([code, called()]).toEqual([2, null]);
    expect(out).toContain('REFUSED: not confirmed');
  });

  test('1: --yes asks nothing, nor does the CDK; a stack that keeps an old value is reported', async () => {
    onDeployed(() => account.parameters.set(sharedName, 'new'));
    const { code, out } = await deploy('', ['--yes']);
    expect(code).toBe(1);
    expect(called()?.words.slice(4)).toEqual(['--require-approval', 'never']);
    expect(out.match(/^STALE: .*$/gm)).toEqual([
      expect.stringContaining(`MobileHealth-dev-Medinfo still uses an old value of ${sharedName};`),
    ]);
  });

  test('1: the CDK has failed, and the credentials have expired meanwhile: both are reported', async () => {
    onDeployed(() => {
      account.isClosed = true;
    });
    const { code, out } = await deploy('', ['--yes'], { ENDS_WITH: '3' });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Not everything is deployed: the CDK exited with 3;.*\ncould not be compared: .*; run npm run cli -- diff$/m,
    );
  });

  test('Ctrl-C while the CDK deploys does not skip the comparison', async () => {
    onDeployed(() => account.parameters.set(sharedName, 'new'));
    const { code, out } = await deploy('', ['--yes'], { INTERRUPTS: 'yes', ENDS_WITH: '130' });
    expect(code).toBe(1);
    expect(out).toMatch(/^STALE: MobileHealth-dev-Medinfo/m);
  });
});
