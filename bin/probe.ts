import type { ProbeTemplates } from '../lib/stack/probe-stacks.ts';
import { type Case, cases, type Probed, type Verdict } from './probe-cases.ts';
import { unprobed } from './probe-unproved.ts';

/** Makes the probe's two stacks, checks every case, and deletes them, whatever happened in between. */

/** The account, as the probe uses it. */
export type ProbeAccount = {
  /** Makes or updates a stack. @returns what could not be made, by resource, with the reason */
  readonly deploy: (name: string, template: object) => Promise<readonly string[]>;
  /** When a stack was made; null: there is none. */
  readonly made: (name: string) => Promise<Date | null>;
  /** Resolves also where there is none. @returns what is left of it */
  readonly remove: (name: string) => Promise<readonly string[]>;
  readonly probed: (names: StackNames, templates: ProbeTemplates) => Promise<Probed>;
};

export type StackNames = { readonly state: string; readonly api: string };

export type ProbeResult = Verdict & { readonly what: string; readonly decision: number };

const made = 'CloudFormation accepts all resources of the probe’s stacks, without a warning';

/** A probe takes half of it: a stack that is younger may be somebody's who probes at this moment. */
const atWorkMs = 30 * 60_000;

/**
 * @param signal ends it before its next step; what was made is deleted all the same
 * @returns true where all cases hold and nothing is left
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
    // Of an earlier run that was killed.
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

/** Of runs that ended before they could. @returns true where nothing is left */
export async function cleanUp(account: ProbeAccount, names: StackNames, log: (line: string) => void): Promise<boolean> {
  const left = await removeAll(account, names);
  for (const each of left) log(`LEFT   ${each}; ${byHand(names)}`);
  if (left.length === 0) log(`nothing is left of ${names.state} and ${names.api} except their key, for a week`);
  return left.length === 0;
}

/** The API first, which calls the other; each by itself, as what keeps the one has not to keep the other. */
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

export function byHand({ state, api }: StackNames): string {
  return [api, state].map((name) => `aws cloudformation delete-stack --stack-name ${name}`).join('; ');
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
