import { parseArgs } from 'node:util';
import { environments } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { readAssembly } from '../lib/local/index.ts';
import { tellChanges } from './deploy-stage.ts';
import { deployedInTheShellsAccount, staleLine, staleReaders } from './deployed-stage.ts';
import { readReplacementRules } from './replacement-rules.ts';
import { synthesize } from './stage.ts';
import { losses, stageChanges } from './stage-changes.ts';

/**
 * `npm run diff -- --stage prod`: prints what `npm run deploy -- --stage prod` would change, compared with the deployed templates,
 * with the shell's AWS credentials and region. Exit codes: 0 no resource with data would be deleted, or `--allow-replacement` allows
 * it; 1 one would be deleted or lose its protection; 2 it could not be compared. A stack that would keep an old value is printed as
 * STALE and does not change the exit code: the next deployment of all stacks corrects it.
 */

const usage = 'npm run diff -- --stage dev|staging|prod [--allow-replacement]';

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, 'allow-replacement': { type: 'boolean', default: false } },
  });
  if (!values.stage) throw new Error(usage);
  const { directory } = await synthesize(environmentNamed(environments, values.stage), { asDeployed: true });
  const stacks = readAssembly(directory);
  const stage = await stageChanges(stacks, deployedInTheShellsAccount(), readReplacementRules());
  const isRefused = losses(stage).length > 0 && !values['allow-replacement'];
  for (const line of tellChanges(stage, values['allow-replacement']))
    (/^(REFUSED|allowed)/.test(line) ? console.error : console.log)(line);
  if (isRefused) process.exitCode = 1;
  for (const each of await staleReaders(stacks.map(({ name }) => name))) console.log(staleLine(each));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
