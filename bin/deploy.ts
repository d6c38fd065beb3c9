import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { settings } from '../functions/settings.ts';
import type { Environment } from '../lib/contract/register.ts';
import { readAssembly } from '../lib/local/index.ts';
import { isTyped } from './confirmation.ts';
import { deployStage, shown } from './deploy-stage.ts';
import { assertAccount, deployedInTheShellsAccount, staleReaders, whereabouts } from './deployed-stage.ts';
import { synthesize } from './stage.ts';
import { stageChanges } from './stage-changes.ts';

const root = join(import.meta.dirname, '..');

type Options = {
  readonly stage: Environment;
  readonly yes: boolean;
  readonly allowReplacement: boolean;
  /** The CDK's program. Tests use another one. */
  readonly cdk: string;
};

export async function run({ stage, yes, allowReplacement, cdk }: Options): Promise<void> {
  // The same assembly is compared and deployed, even if somebody edits the sources while the question waits.
  const { directory } = await synthesize(stage, { asDeployed: true, validates: true });
  const stacks = readAssembly(directory);
  const deployed = (folder: string, asks: boolean) =>
    spawned(cdk, ['deploy', '--all', '--app', folder, ...(asks ? [] : ['--require-approval', 'never'])]);
  let first: string | null = null;
  process.exitCode = await deployStage(
    {
      where: async () => {
        const where = await whereabouts();
        assertAccount(stage, where.account);
        return where;
      },
      changes: async () => {
        const changes = await stageChanges(stacks, deployedInTheShellsAccount());
        const newStacks = changes.flatMap(({ stack, isNew }) => (isNew && isProtected(stack) ? [stack] : []));
        if (settings[stage].keepsData && newStacks.length > 0)
          first = (await synthesize(stage, { asDeployed: true, validates: true, newStacks })).directory;
        return changes;
      },
      isConfirmed: () => isTyped(`Type ${stage} to deploy this: `, stage),
      deploy: async () => {
        if (first === null) return deployed(directory, !yes);
        const code = await deployed(first, !yes);
        if (code !== 0) return code;
        console.log('All stacks are made; the second step protects them from being deleted');
        // Nothing else changes: what the first step asked is answered.
        return deployed(directory, false);
      },
      stale: () => staleReaders(stacks.map(({ name }) => name)),
    },
    { yes, allowsReplacement: allowReplacement },
    (line) => console.log(shown(line, process.stdout)),
  );
}

/** The stage's own stacks, which are protected, and no nested one, which comes with its own. */
function isProtected(stack: string): boolean {
  return !stack.includes('/') && !stack.endsWith('-Account');
}

/** Runs on the same terminal. If a signal ends it, the stage counts as not deployed. */
async function spawned(program: string, words: readonly string[]): Promise<number> {
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
