import { parseArgs } from 'node:util';
import { environments } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { isTyped } from './confirmation.ts';
import { accountOfTheShell } from './destroy-account.ts';
import { destroyStage, Refused, refuseWhatKeepsData, whereabouts } from './destroy-stage.ts';

/**
 * `npm run destroy -- --stage dev`: deletes a deployed stage with all its data, with the shell's AWS credentials and region. It never
 * deletes prod. Exit codes: 0 nothing is left, or the rest will be deleted automatically; 1 something is left; 2 it was refused or
 * could not be done.
 */

const usage = 'npm run destroy -- --stage dev|staging [--yes]';

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, yes: { type: 'boolean', default: false }, 'poll-ms': { type: 'string' } },
  });
  if (!values.stage) throw new Error(usage);
  const environment = environmentNamed(environments, values.stage);
  const account = accountOfTheShell(Number(values['poll-ms'] ?? 5000));
  await refuseWhatKeepsData(environment, account);
  const { account: number, region, stacks } = await whereabouts(environment, account);
  console.log(`Account ${number}, region ${region}: ${stacks.join(', ') || `no stack of ${environment}`}`);
  if (!values.yes) console.log('These stacks will be deleted, with all users, records and evidence in them.');
  if (!values.yes && !(await isTyped(`Type ${environment} to delete them: `, environment)))
    throw new Refused('not confirmed, nothing is deleted');
  const rest = await destroyStage(environment, account, (line) => console.log(line));
  for (const { what, until, isHarmless } of rest) {
    console.log(
      `${isHarmless ? 'pending' : 'STAYS'}: ${what}${until ? `, until ${until.toISOString()}` : isHarmless ? '' : ', until somebody deletes it'}`,
    );
    if (!isHarmless) process.exitCode = 1;
  }
  console.log('MobileHealth-Account stays: API Gateway logs under its role for every API of the account and region');
  if (process.exitCode === 1)
    console.log('Run the command again when the rest can be deleted; it skips what is already deleted');
} catch (error) {
  console.error(
    error instanceof Refused ? `REFUSED: ${error.message}` : error instanceof Error ? error.message : error,
  );
  process.exitCode = 2;
}
