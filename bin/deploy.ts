import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { readAssembly, synthesize } from '../lib/local/index.ts';
import { isTyped } from './confirmation.ts';
import { deployStage } from './deploy-stage.ts';
import { deployedInTheShellsAccount, staleReaders } from './deployed-stage.ts';
import { readReplacementRules } from './replacement-rules.ts';
import { stageChanges } from './stage-changes.ts';

/**
 * `npm run deploy -- --stage dev`: all stacks of a stage, with the shell's AWS credentials and region. It says what would
 * change and asks; the CDK asks once more for each stack whose IAM roles are made or widened. `--yes`, as for CI, asks
 * neither; what holds data goes with `--allow-replacement` alone. Exit codes: 0 deployed, 1 refused or not deployed whole,
 * 2 not confirmed or not to be compared.
 */

const usage = 'npm run deploy -- --stage dev|staging|prod [--yes] [--allow-replacement]';
const root = join(import.meta.dirname, '..');

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      'allow-replacement': { type: 'boolean', default: false },
    },
  });
  if (!values.stage) throw new Error(usage);
  const environment = environmentNamed(values.stage);
  const { directory } = await synthesize(environment);
  const stacks = readAssembly(directory);
  process.exitCode = await deployStage(
    {
      changes: () => stageChanges(stacks, deployedInTheShellsAccount(), readReplacementRules()),
      isConfirmed: () => isTyped(`Type ${environment} to deploy this: `, environment),
      deploy: () =>
        cdk('deploy', '--all', '-c', `stage=${environment}`, ...(values.yes ? ['--require-approval', 'never'] : [])),
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
function cdk(...words: string[]): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk'), ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
