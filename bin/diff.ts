import { parseArgs } from 'node:util';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { readAssembly, synthesize } from '../lib/local/index.ts';
import { tellChanges } from './deploy-stage.ts';
import { deployedInTheShellsAccount, staleLine, staleReaders } from './deployed-stage.ts';
import { readReplacementRules } from './replacement-rules.ts';
import { losses, stageChanges } from './stage-changes.ts';

/**
 * `npm run diff -- --stage prod`: what `npm run deploy -- --stage prod` would change, by the templates that are deployed,
 * with the shell's AWS credentials and region. Exit codes: 0 nothing with data in it goes, or `--allow-replacement` says
 * that it may; 1 something would go, or lose what protects it; 2 it could not be compared. A stack that goes on with an old
 * value is told (STALE) and no reason for 1: the next deployment of all stacks is what mends it.
 */

const usage = 'npm run diff -- --stage dev|staging|prod [--allow-replacement]';

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, 'allow-replacement': { type: 'boolean', default: false } },
  });
  if (!values.stage) throw new Error(usage);
  const { directory } = await synthesize(environmentNamed(values.stage));
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
