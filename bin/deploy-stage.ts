import { styleText } from 'node:util';
import type { ReadValue } from './deployed-stage.ts';
import { staleLine } from './deployed-stage.ts';
import { followersOf, losses, type StackChanges, summaryOf } from './stage-changes.ts';

/** Prints before a deployment what it replaces, and afterwards whether every stack uses the present values of the others. */

export type Deployment = {
  /** The account and region of the shell's credentials. */
  readonly where: () => Promise<{ readonly account: string; readonly region: string }>;
  readonly changes: () => Promise<readonly StackChanges[]>;
  readonly isConfirmed: () => Promise<boolean>;
  /** Deploys all stacks; resolves with the exit code. */
  readonly deploy: () => Promise<number>;
  readonly stale: () => Promise<readonly ReadValue[]>;
};

export type Consent = {
  /** Asks no question. It does not allow a replacement. */
  readonly yes: boolean;
  readonly allowsReplacement: boolean;
};

/** @returns 0: everything was deployed; 1: something would be deleted, or was not deployed; 2: it was not confirmed */
export async function deployStage(
  { where, changes, isConfirmed, deploy, stale }: Deployment,
  { yes, allowsReplacement }: Consent,
  log: (line: string) => void,
): Promise<0 | 1 | 2> {
  const { account, region } = await where();
  log(`Account ${account}, region ${region}:`);
  const stage = await changes();
  for (const line of tellChanges(stage, allowsReplacement)) log(line);
  if (isRefused(stage, allowsReplacement)) return 1;
  if (!yes && !(await isConfirmed())) {
    log('REFUSED: not confirmed, nothing is deployed');
    return 2;
  }
  const code = await deploy();
  log(
    code === 0
      ? 'The CDK has deployed all stacks'
      : `Not everything is deployed: the CDK exited with ${code}; fix the cause and run the command again`,
  );
  try {
    // This is important after a failure: the State stack may have a new table while an API was not deployed.
    const left = await stale();
    for (const each of left) log(staleLine(each));
    return code === 0 && left.length === 0 ? 0 : 1;
  } catch (error) {
    // Credentials for one hour may expire during a long deployment. The deployment itself has succeeded all the same.
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    log(`${code === 0 ? 'deployed; ' : ''}could not be compared: ${why}; run npm run cli -- diff`);
    return 1;
  }
}

export function isRefused(stage: readonly StackChanges[], allowsReplacement: boolean): boolean {
  return stage.some(({ unreadable }) => unreadable) || (losses(stage).length > 0 && !allowsReplacement);
}

/** What loses data, or is refused for it, is red on a terminal. */
export function shown(line: string, stream: NodeJS.WritableStream): string {
  return /^( {2}! |REFUSED)/.test(line) ? styleText('red', line, { stream }) : line;
}

/** The changes as `npm run cli -- diff` and `npm run deploy` print them. */
export function tellChanges(stage: readonly StackChanges[], allowsReplacement: boolean): string[] {
  const lost = losses(stage).length;
  const verdict = `${lost} resources that cannot simply be recreated would be deleted, may be deleted, or would lose their protection`;
  const followers = followersOf(stage).join(', ');
  const unreadable = stage.flatMap((each) => each.unreadable ?? []);
  return [
    ...summaryOf(stage),
    ...unreadable.map(
      ({ deployed, own }) =>
        `REFUSED: the deployed release writes rows of format ${deployed}, and this one reads only ${own}`,
    ),
    ...(lost === 0
      ? []
      : [allowsReplacement ? `allowed: ${verdict}` : `REFUSED: ${verdict}; --allow-replacement allows it`]),
    ...(followers === ''
      ? []
      : [`The other stacks need the new names of ${followers}: deploy all stacks in the same deployment`]),
  ];
}
