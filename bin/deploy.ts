import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environments } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { readAssembly } from '../lib/local/index.ts';
import { isTyped } from './confirmation.ts';
import { deployStage } from './deploy-stage.ts';
import { deployedInTheShellsAccount, staleReaders, whereabouts } from './deployed-stage.ts';
import { readReplacementRules } from './replacement-rules.ts';
import { synthesize } from './stage.ts';
import { stageChanges } from './stage-changes.ts';

/**
 * `npm run deploy -- --stage dev`: deploys all stacks of a stage, with the shell's AWS credentials and region. It prints the account,
 * the region and the changes, and asks for a confirmation. The CDK asks again for each stack with new or wider IAM roles. With
 * `--yes`, for CI, nobody is asked. A resource with data is replaced only with `--allow-replacement`. Exit codes: 0 deployed; 1
 * refused, only partly deployed, or deployed but not compared afterwards; 2 not confirmed or not compared, and nothing is deployed.
 */

const usage = 'npm run deploy -- --stage dev|staging|prod [--yes] [--allow-replacement]';
const root = join(import.meta.dirname, '..');

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      'allow-replacement': { type: 'boolean', default: false },
      // The CDK's program. Tests use another one.
      cdk: { type: 'string', default: join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk') },
    },
  });
  if (!values.stage) throw new Error(usage);
  const environment = environmentNamed(environments, values.stage);
  // The same assembly is compared and deployed, even if somebody edits the sources while the question waits.
  const { directory } = await synthesize(environment, { asDeployed: true, validates: true });
  const stacks = readAssembly(directory);
  const words = ['deploy', '--all', '--app', directory, ...(values.yes ? ['--require-approval', 'never'] : [])];
  process.exitCode = await deployStage(
    {
      where: () => whereabouts(),
      changes: () => stageChanges(stacks, deployedInTheShellsAccount(), readReplacementRules()),
      isConfirmed: () => isTyped(`Type ${environment} to deploy this: `, environment),
      deploy: () => run(values.cdk, words),
      stale: () => staleReaders(stacks.map(({ name }) => name)),
    },
    { yes: values.yes, allowsReplacement: values['allow-replacement'] },
    (line) => console.log(line),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

/** Runs on the same terminal. If a signal ends it, the stage counts as not deployed. */
async function run(program: string, words: readonly string[]): Promise<number> {
  // Ctrl-C reaches both processes. It ends the CDK. This process continues, and compares what was deployed until then.
  const stay = () => undefined;
  process.on('SIGINT', stay);
  try {
    const child = spawn(process.execPath, [program, ...words], { cwd: root, stdio: 'inherit' });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', stay);
  }
}
