import type { Account } from '../contract/accounts.ts';
import type { Issue } from '../contract/issues.ts';
import type { Route } from '../contract/route.ts';
import type { Guarded } from './accounts.ts';
import type { AnyHandling, AnySteps } from './handle.ts';
import type { Write } from './log.ts';

/** What varies between Lambda, the time machine and a test: always an argument, never patched. */
export type Runtime = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The business rules' time. */
  readonly clock: () => Date | Promise<Date>;
  /** The time that authentication, limits, caches and logs keep. */
  readonly realNow: () => Date;
  readonly write: Write;
  /** Whether the caller's account is open; absent where a function uses no table. */
  readonly accounts?: Accounts;
  /** What stands around the handler of a route that is about another person; absent where no route is. */
  readonly access?: (route: Route, handling: AnyHandling) => AnySteps;
  /** By media type, how the other forms of a body are read that its route declares. */
  readonly otherBodies?: OtherBodies;
};

export type OtherBodies = Readonly<Record<string, (body: unknown) => OtherBody>>;

/** What another form of a body says in the words of the route's `body`, which then validates it; or why it cannot. */
export type OtherBody = { readonly body: unknown } | { readonly issues: Issue[] };

type Accounts = {
  readonly read: (account: Guarded) => Promise<Account>;
  readonly whileOpen: <T>(account: Guarded, act: () => Promise<T>) => Promise<T>;
};

/** In a function, with real time for the business rules; `serve` puts the environment's clock in its place. */
export const lambda: Runtime = {
  variables: process.env,
  clock: () => new Date(),
  realNow: () => new Date(),
  write: (line) => process.stdout.write(line),
};
