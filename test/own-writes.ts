import { existsSync } from 'node:fs';
import { domains } from '../functions/domains.ts';

/**
 * A request of each route that writes what is its caller's own, for the test that closes accounts under them: a domain exports
 * `ownWrites` of `test/<domain>/own-writes.ts`, by operation.
 */

type Answer = { readonly status: number; readonly body: Readonly<Record<string, string>> };
type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
type Person = {
  readonly userId: string;
  readonly password: string;
  readonly call: Call;
  /** The code of the latest mail to an address, once it has come. */
  readonly codeTo: (address: string) => Promise<string>;
};

/** Makes what has to be there before. @returns the request that writes */
type OwnWrite = (person: Person, admin: Call) => Promise<() => Promise<Answer>>;

export type OwnWrites = Readonly<Record<string, OwnWrite>>;

/** What all domains wrote down. */
export async function writtenOwnWrites(): Promise<OwnWrites> {
  const all: Record<string, OwnWrite> = {};
  for (const domain of Object.keys(domains)) {
    const file = new URL(`./${domain}/own-writes.ts`, import.meta.url);
    if (!existsSync(file)) continue;
    const { ownWrites }: { ownWrites: OwnWrites } = await import(file.href);
    Object.assign(all, ownWrites);
  }
  return all;
}
