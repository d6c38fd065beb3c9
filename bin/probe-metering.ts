import type { Metered, Probed, Verdict } from './probed.ts';

/**
 * Finds out which callers API Gateway's usage plan limits. Three things answer 429: the plan, the account's own throttle and the web
 * ACL. The probe's API says in a header which one it was (lib/stack/probe-stacks.ts). Nothing here repeats a refused call.
 */

/** More calls at once than a plan's burst allows. Two rounds are still fewer than the web ACL allows in a minute. */
const many = 40;
const few = 25;
/** A plan is enforced on a best-effort basis: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html */
const attempts = 3;

export async function meteredIsLimited({ burst, paths, firewallsMinute }: Probed): Promise<Verdict> {
  const found: string[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await firewallsMinute();
    const answers = await burst(paths.metered, many);
    found.push(counted(answers));
    if (isLimited(answers)) return { holds: true, found: found.join('; ') };
  }
  return { holds: false, found: found.join('; ') };
}

/** Calls right after the client has used up its plan. They would be refused if they were metered. */
export async function unmeteredIsNot({ burst, paths, firewallsMinute }: Probed): Promise<Verdict> {
  await firewallsMinute();
  const before = await burst(paths.metered, few);
  const answers = await burst(paths.unmetered, many);
  const found = `metered: ${counted(before)}; not metered: ${counted(answers)}`;
  if (isLimited(answers)) return { holds: false, found };
  if (!isLimited(before)) return { holds: false, found: `${found}; proves nothing, as the plan limited no caller` };
  const passed = answers.filter(({ status }) => status === 200).length;
  if (passed < many / 2)
    return { holds: false, found: `${found}; proves nothing, as too few requests were let through` };
  return { holds: true, found };
}

function isLimited(answers: readonly Metered[]): boolean {
  return answers.some(({ status, refusedBy }) => status === 429 && refusedBy === 'gateway');
}

function counted(answers: readonly Metered[]): string {
  const named = answers.map(({ status, refusedBy }) => `${status}${refusedBy ? ` by ${refusedBy}` : ''}`);
  return [...Map.groupBy(named, String)].map(([name, all]) => `${name} ${all.length}×`).join(', ');
}
