import { existsSync } from 'node:fs';
import { domains } from '../functions/domains.ts';
import type { Application, Environment } from '../lib/contract/deployments.ts';
import { type Callers, type Holders, nobody, type Roles, type Who } from './callers.ts';

/** What all domains wrote down in their `callers.ts`. */
export const written = { callers: new Map<string, Who>(), holders: new Map<string, Roles>() };
for (const domain of Object.keys(domains)) {
  const file = new URL(`./${domain}/callers.ts`, import.meta.url);
  if (!existsSync(file)) continue;
  const { callers, holders = {} }: { callers: Callers; holders?: Holders } = await import(file.href);
  for (const [name, who] of Object.entries(callers)) written.callers.set(name, who);
  for (const [name, who] of Object.entries(holders)) written.holders.set(name, who);
}

type Caller = {
  readonly roles: readonly string[];
  readonly application: Application;
  readonly environment?: Environment;
};

/** The names of the permissions that a caller holds by what is written down, sorted. */
export function permissionsOf({ roles, application, environment = 'dev' }: Caller): string[] {
  const had = [nobody, ...roles].filter((role) => environment !== 'prod' || role !== 'developer');
  const isHeld = (who: Roles) => had.some((role) => who[application]?.includes(role));
  return [...written.holders].flatMap(([name, who]) => (isHeld(who) ? [name] : [])).toSorted();
}
