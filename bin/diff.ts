import { readAssembly } from '../lib/local/index.ts';
import { isRefused, shown, tellChanges } from './deploy-stage.ts';
import { deployedInTheShellsAccount, staleLine, staleReaders } from './deployed-stage.ts';
import { synthesize } from './stage.ts';
import { stageChanges } from './stage-changes.ts';

type Options = { readonly stage: string; readonly allowReplacement: boolean };

export async function run({ stage: named, allowReplacement }: Options): Promise<void> {
  const { directory } = await synthesize(named, { asDeployed: true });
  const stacks = readAssembly(directory);
  const stage = await stageChanges(stacks, deployedInTheShellsAccount());
  for (const line of tellChanges(stage, allowReplacement))
    if (/^(REFUSED|allowed)/.test(line)) console.error(shown(line, process.stderr));
    else console.log(shown(line, process.stdout));
  if (isRefused(stage, allowReplacement)) process.exitCode = 1;
  for (const each of await staleReaders(stacks.map(({ name }) => name))) console.log(staleLine(each));
}
