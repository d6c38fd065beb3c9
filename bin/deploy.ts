import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { readAssembly, synthesize } from '../lib/local/index.ts';
import { isTyped } from './confirmation.ts';
import { deployStage } from './deploy-stage.ts';
import { deployedInTheShellsAccount, staleReaders, whereabouts } from './deployed-stage.ts';
import { readReplacementRules } from './replacement-rules.ts';
import { stageChanges } from './stage-changes.ts';

/**
 * `npm run deploy -- --stage dev`: all stacks of a stage, with the shell's AWS credentials and region. It says where, and
 * what would change, and asks; the CDK asks once more for each stack whose IAM roles are made or widened. `--yes`, as for CI,
 * asks neither; a resource that holds data is replaced only with `--allow-replacement`. Exit codes: 0 deployed, 1 refused,
 * not deployed whole, or deployed and not to be compared; 2 not confirmed or not to be compared, and nothing is deployed.
 */

const usage = 'npm run deploy -- --stage dev|staging|prod [--yes] [--allow-replacement]';
const root = join(import.meta.dirname, '..');

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      'allow-replacement': { type: 'boolean', default: false },
      // The CDK's program; tests have their own.
      cdk: { type: 'string', default: join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk') },
    },
  });
  if (!values.stage) throw new Error(usage);
  const environment = environmentNamed(values.stage);
  // What is compared is what is deployed, whatever is edited while the question waits.
  const { directory } = await synthesize(environment, undefined, true);
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

/** On the same terminal; ended by a signal it is not deployed. */
async function run(program: string, words: readonly string[]): Promise<number> {
  // Ctrl-C reaches both: the CDK ends by it, and this one goes on to compare what was deployed until then.
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
