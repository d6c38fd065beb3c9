import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { synthesize } from '../../bin/stage.ts';
import { environments } from '../../functions/product.ts';
import { temporary } from './stage.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'node_modules', '.bin');

/** What a shell without any of AWS's, CDK's or a proxy's variables would hand over. */
const bare = { PATH: `${bin}:/usr/bin:/bin`, HOME: temporary(), CI: 'true' };

function templates(directory: string): Record<string, string> {
  const files = readdirSync(directory).filter((file) => file.endsWith('.template.json'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(directory, file), 'utf8')]));
}

describe('cdk synth', () => {
  test('gives the templates that a synthesis in process gives, without a warning', async () => {
    const outdir = join(temporary(), 'cdk.out');
    const { stderr } = await cdk('synth', '--quiet', '--output', outdir, '-c', 'stage=dev');
    expect(stderr).not.toMatch(/warning|error|violation/i);
    const { directory } = await synthesize('dev', { asDeployed: true });
    expect(templates(outdir)).toEqual(templates(directory));
  });

  test.each([
    ['unknown', ['-c', 'stage=production'], 'unknown stage "production": one of dev, staging, prod is needed'],
    ['missing', [], 'unknown stage undefined: one of dev, staging, prod is needed'],
  ])('an %s stage is one line that names the three', async (_, context, message) => {
    const failed = await cdk('synth', '--quiet', '--output', join(temporary(), 'cdk.out'), ...context).then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed?.code).toBe(1);
    expect(failed?.stderr).toContain(message);
    expect(failed?.stderr).not.toMatch(/^\s+at /m);
  });

  function cdk(...args: string[]) {
    return run(join(bin, 'cdk'), args, { cwd: root, env: bare });
  }
});

test('every stage is synthesized and validated without credentials, network or a home', async () => {
  const script = `
    import { Socket } from 'node:net';
    Socket.prototype.connect = () => { throw new Error('a connection'); };
    const { buildApp } = await import('./lib/stack/app.ts');
    const { bundleFunctions } = await import('./lib/bundle/bundle.ts');
    const { functionEntries } = await import('./lib/bundle/entries.ts');
    const module = await import('./bin/product.ts');
    const [directory, ...outdirs] = process.argv.slice(1);
    const { folders } = await bundleFunctions(functionEntries(module.declarations), directory);
    const codeOf = (name) => folders.get(name);
    for (const environment of ${JSON.stringify(environments)}) {
      buildApp({ module, environment, codeOf, outdir: outdirs.shift(), validates: true }).synth();
    }`;
  const outdirs = environments.map((environment) => join(bare.HOME, environment));
  const bundles = join(root, '.cache', 'bundles');
  // It ends with 1 where CloudFormation's own schemas find something wrong.
  await run(process.execPath, ['--input-type=module', '-e', script, bundles, ...outdirs], {
    cwd: root,
    env: { PATH: bare.PATH, HOME: '/nonexistent' },
  });
  for (const outdir of outdirs) expect(Object.keys(templates(outdir))).toContain('State.template.json');
});
