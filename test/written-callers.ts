import { existsSync } from 'node:fs';
import { domains } from '../functions/domains.ts';
import type { Application, Environment } from '../lib/contract/register.ts';
import { type Callers, type Holders, nobody, type Roles, type Who } from './callers.ts';

/** What one domain wrote down in its `callers.ts`. */
type Written = { readonly callers: Callers; readonly holders?: Holders };

const inDomains: [string, Written][] = [];
for (const domain of Object.keys(domains)) {
  const file = new URL(`./${domain}/callers.ts`, import.meta.url);
  if (existsSync(file)) inDomains.push([domain, await import(file.href)]);
}

type Entry<T> = { readonly domain: string; readonly who: T };

/** What all domains wrote down, each entry with the domain whose file has it. */
export const written = {
  callers: joinedEntries<Who>(inDomains.map(([domain, { callers }]) => [domain, callers])),
  holders: joinedEntries<Roles>(inDomains.map(([domain, { holders = {} }]) => [domain, holders])),
};

/** @throws an Error where two domains say it: the second would replace the first unseen */
export function joinedEntries<T>(
  byDomain: readonly (readonly [domain: string, entries: Readonly<Record<string, T>>])[],
): ReadonlyMap<string, Entry<T>> {
  const all = new Map<string, Entry<T>>();
  for (const [domain, entries] of byDomain) {
    for (const [name, who] of Object.entries(entries)) {
      const known = all.get(name);
      if (known) throw new Error(`${name} stands in the callers.ts of ${known.domain} and of ${domain}`);
      all.set(name, { domain, who });
    }
  }
  return all;
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
  return [...written.holders].flatMap(([name, { who }]) => (isHeld(who) ? [name] : [])).toSorted();
}
