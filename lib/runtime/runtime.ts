import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Issue } from '../contract/issues.ts';
import type { Route } from '../contract/route.ts';
import type { CallerRows, CallerState, Guarded } from './accounts.ts';
import type { AnyHandling } from './handle.ts';
import type { Write } from './log.ts';
import type { Paging } from './paging.ts';

/** The parts that differ between Lambda, the time machine and a test. They are always arguments, and nothing is patched. */
export type Runtime = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The business rules' time. */
  readonly clock: () => Date | Promise<Date>;
  /** The real time, for authentication, limits, caches and logs. */
  readonly realNow: () => Date;
  readonly write: Write;
  /** The client of the tables; absent in a function that uses none, so that its bundle has none. */
  readonly dynamo?: () => DynamoDBDocumentClient;
  /** Whether the caller's account is open and the session goes on; absent on public routes, or where the product has no accounts. */
  readonly accounts?: Accounts;
  /** Wraps the handler of a route about another person; absent where no route is about one. */
  readonly access?: (route: Route, handling: AnyHandling) => AnyHandling;
  /** Absent where the route is no collection and has no cursors. */
  readonly paging?: Paging;
  /** By media type: readers for the other forms of a body that the route declares. */
  readonly otherBodies?: OtherBodies;
};

/** The runtime of a function that uses tables. */
export type WithTables = Runtime & Required<Pick<Runtime, 'dynamo'>>;

/** By media type, in small letters and with its parameters but `charset`: `application/fhir+json;fhirversion=4.0`. */
export type OtherBodies = Readonly<Record<string, (body: unknown) => OtherBody>>;

/** The content of another form, in the fields of the route's `body`, which then validates it; or the reason why it cannot be read. */
type OtherBody = { readonly body: unknown } | { readonly issues: Issue[] };

type Accounts = {
  readonly read: (rows: CallerRows) => Promise<CallerState>;
  readonly whileOpen: <T>(account: Guarded, act: () => Promise<T>) => Promise<T>;
};

/** For a function that uses no table: its business rules have real time. */
export const lambda: Runtime = {
  variables: process.env,
  clock: () => new Date(),
  realNow: () => new Date(),
  write: (line) => process.stdout.write(line),
};
