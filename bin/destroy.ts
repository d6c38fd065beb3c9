import type { Environment } from '../lib/contract/register.ts';
import { isTyped } from './confirmation.ts';
import { assertAccount } from './deployed-stage.ts';
import { accountOfTheShell } from './destroy-account.ts';
import { destroyStage, Refused, refuseWhatKeepsData, whereabouts } from './destroy-stage.ts';

type Options = { readonly stage: Environment; readonly yes: boolean; readonly pollMs: number };

export async function run({ stage: environment, yes, pollMs }: Options): Promise<void> {
  try {
    const account = accountOfTheShell(pollMs);
    await refuseWhatKeepsData(environment, account);
    const { account: number, region, stacks } = await whereabouts(environment, account);
    if (stacks.length > 0) assertAccount(environment, number);
    console.log(`Account ${number}, region ${region}: ${stacks.join(', ') || `no stack of ${environment}`}`);
    if (!yes) console.log('These stacks will be deleted, with all users, records and evidence in them.');
    if (!yes && !(await isTyped(`Type ${environment} to delete them: `, environment)))
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
    throw error instanceof Refused ? new Error(`REFUSED: ${error.message}`) : error;
  }
}
