import type { ProbeTemplates } from '../lib/stack/probe-stacks.ts';
import { type Case, cases } from './probe-cases.ts';
import { unprobed } from './probe-unproved.ts';
import type { Probed, Verdict } from './probed.ts';

/** Makes the probe's two stacks, checks every case, and always deletes the stacks. */

/** The calls of the probe to the account. */
export type ProbeAccount = {
  /** Makes or updates a stack. @returns the resources that could not be made, with the reasons */
  readonly deploy: (name: string, template: object) => Promise<readonly string[]>;
  /** When a stack was made; null if there is none. */
  readonly made: (name: string) => Promise<Date | null>;
  /** Also resolves if there is no stack. @returns what is left of it */
  readonly remove: (name: string) => Promise<readonly string[]>;
  readonly probed: (names: StackNames, templates: ProbeTemplates) => Promise<Probed>;
};

export type StackNames = { readonly state: string; readonly api: string };

type ProbeResult = Verdict & { readonly what: string; readonly decision: number };

const made = 'CloudFormation accepts all resources of the probe’s stacks, without a warning';

/** A probe takes half of this time. A younger stack may belong to a probe that is running now. */
const atWorkMs = 30 * 60_000;

/**
 * @param signal ends the probe before its next step; its stacks are still deleted
 * @returns true if all cases hold and nothing is left
 */
export async function runProbe(
  account: ProbeAccount,
  names: StackNames,
  templates: ProbeTemplates,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const young = await youngOf(account, names);
  if (young.length > 0) {
    log(`REFUSED: ${young.join(' and ')} may be another probe's, which is under way; if not, --clean-up deletes it`);
    return false;
  }
  log(
    `makes ${names.state} and ${names.api}; if this ends before they are deleted, run it with --clean-up or: ${byHand(names)}`,
  );
  const results: ProbeResult[] = [];
  try {
    // Deletes the stacks of an earlier run that was killed.
    const before = await removeAll(account, names);
    if (before.length > 0) throw new Error(`an earlier probe could not be deleted: ${before.join('; ')}`);
    signal?.throwIfAborted();
    const failures = await deployed(account, names, templates, signal);
    results.push({ what: made, decision: 5, holds: failures.length === 0, found: failures.join('; ') || 'made' });
    if (failures.length === 0) {
      const probed = await account.probed(names, templates);
      for (const each of cases) {
        signal?.throwIfAborted();
        results.push(await verdictOf(each, probed));
      }
    }
  } catch (error) {
    results.push({ what: 'the probe itself', decision: 37, holds: false, found: textOf(error) });
  }
  const left = await removeAll(account, names);
  for (const { what, decision, holds, found } of results)
    log(`${holds ? 'holds' : 'FAILS'}  ${what} (decision ${decision}): ${found}`);
  for (const { what, decision, why } of unprobed) log(`open   ${what} (decision ${decision}): ${why}`);
  for (const each of left) log(`LEFT   ${each}; ${byHand(names)}`);
  return left.length === 0 && results.every(({ holds }) => holds);
}

async function youngOf(account: ProbeAccount, { state, api }: StackNames): Promise<string[]> {
  const young: string[] = [];
  for (const name of [state, api]) {
    const made = await account.made(name);
    if (made && Date.now() - made.getTime() < atWorkMs) young.push(`${name}, made at ${made.toISOString()},`);
  }
  return young;
}

async function deployed(
  account: ProbeAccount,
  { state, api }: StackNames,
  templates: ProbeTemplates,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const failures = await account.deploy(state, templates.state);
  signal?.throwIfAborted();
  return failures.length > 0 ? failures : account.deploy(api, templates.api);
}

/** Deletes the stacks of runs that ended too early. @returns true if nothing is left */
export async function cleanUp(account: ProbeAccount, names: StackNames, log: (line: string) => void): Promise<boolean> {
  const left = await removeAll(account, names);
  for (const each of left) log(`LEFT   ${each}; ${byHand(names)}`);
  if (left.length === 0) log(`nothing is left of ${names.state} and ${names.api} except their key, for a week`);
  return left.length === 0;
}

/** Deletes the API first, because it calls the other stack. A failure of one deletion does not stop the other. */
async function removeAll(account: ProbeAccount, { state, api }: StackNames): Promise<string[]> {
  const left: string[] = [];
  for (const name of [api, state])
    left.push(...(await account.remove(name).catch((error: unknown) => [`${name}: ${textOf(error)}`])));
  return left;
}

async function verdictOf({ what, decision, check }: Case, probed: Probed): Promise<ProbeResult> {
  const found = await check(probed).catch((error: unknown) => ({ holds: false, found: textOf(error) }));
  return { what, decision, ...found };
}

function byHand({ state, api }: StackNames): string {
  return [api, state].map((name) => `aws cloudformation delete-stack --stack-name ${name}`).join('; ');
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
