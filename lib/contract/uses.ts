import type { BucketUse } from './bucket-uses.ts';
import { clock } from './clock.ts';
import { type KeyRing, readRing } from './key-ring.ts';
import type { Procedure } from './procedures.ts';
import type { PushAccess } from './push-platforms.ts';
import type { Queue } from './queues.ts';
import type { Application, Environment } from './register.ts';
import { type Secret, secretVariable } from './secrets.ts';
import type { SigningKey } from './signing-keys.ts';
import { type Table, tableExistsIn } from './tables.ts';
import type { UserPoolAccess, UserPoolUse } from './user-pool-uses.ts';

/**
 * The list of everything that a route or consumer uses beyond its input. Grants and environment variables are derived from
 * it, and nothing else is reachable. Several uses of one table add up: `[read(Agreements), append(Agreements)]`.
 */
export type Use =
  | TableUse
  | QueueUse
  | SigningKeyUse
  | BucketUse
  | SecretUse
  | UserPoolUse
  | ProcedureUse
  | { readonly pushPlatforms: PushAccess }
  /** The environment's event bus, which tells other services what happened. */
  | { readonly eventBus: 'publish' }
  /** The topic of the environment's alarms, which notifies people. */
  | { readonly operators: 'tell' }
  /** Amazon SES, only from the environment's own address. */
  | { readonly mail: 'send' };

export type Uses = readonly Use[];

export type TableUse<T extends Table = Table, A extends TableAccess = TableAccess> = {
  readonly table: T;
  readonly access: A;
};

export type TableAccess =
  | 'get'
  | 'batch'
  | 'read'
  | 'scan'
  | 'write'
  | 'remove'
  | 'discard'
  | 'append'
  | 'replace'
  | 'adjust'
  | 'expire'
  | 'check';

/** Only GetItem. */
export function get<T extends Table>(table: T): TableUse<T, 'get'> {
  return { table, access: 'get' };
}

/** Only BatchGetItem: rows of several keys at once. */
export function batch<T extends Table>(table: T): TableUse<T, 'batch'> {
  return { table, access: 'batch' };
}

/** GetItem and Query. */
export function read<T extends Table>(table: T): TableUse<T, 'read'> {
  return { table, access: 'read' };
}

/** Only Scan. */
export function scan<T extends Table>(table: T): TableUse<T, 'scan'> {
  return { table, access: 'scan' };
}

/** The permissions of `read`, and PutItem and UpdateItem. */
export function write<T extends Table>(table: T): TableUse<T, 'write'> {
  return { table, access: 'write' };
}

/** The permissions of `read`, and DeleteItem. */
export function remove<T extends Table>(table: T): TableUse<T, 'remove'> {
  return { table, access: 'remove' };
}

/** DeleteItem, only inside a transaction: for rows that end with another change. */
export function discard<T extends Table>(table: T): TableUse<T, 'discard'> {
  return { table, access: 'discard' };
}

/** PutItem, only inside a transaction, also over a row that is there: for a decision that depends on a row that was read, or for a part of another change. */
export function append<T extends Table>(table: T): TableUse<T, 'append'> {
  return { table, access: 'append' };
}

/** PutItem and DeleteItem, only inside a transaction: rows of several keys are written and deleted together. */
export function replace<T extends Table>(table: T): TableUse<T, 'replace'> {
  return { table, access: 'replace' };
}

/** UpdateItem, only inside a transaction: changes some attributes of a row. `adjustable` of the table names the only ones. */
export function adjust<T extends Table>(table: T): TableUse<T, 'adjust'> {
  return { table, access: 'adjust' };
}

/**
 * Query, and UpdateItem only of a ledger's `expiresAt`. The function runs with the environment's expiry role, and only one
 * function in each application can do so.
 */
export function expire<T extends Table>(table: T): TableUse<T, 'expire'> {
  return { table, access: 'expire' };
}

/** Only ConditionCheckItem: for a row on which the rest of the transaction depends. */
export function check<T extends Table>(table: T): TableUse<T, 'check'> {
  return { table, access: 'check' };
}

/** Only sends to a queue; the queue's consumer receives from it. */
export type QueueUse<Q extends Queue = Queue> = { readonly queue: Q; readonly access: 'send' };

export function sendTo<Q extends Queue>(queue: Q): QueueUse<Q> {
  return { queue, access: 'send' };
}

/** Only asks the function that performs the procedure, and waits for its result. */
export type ProcedureUse<P extends Procedure = Procedure> = { readonly procedure: P };

export function callTo<P extends Procedure>(procedure: P): ProcedureUse<P> {
  return { procedure };
}

export type SigningKeyUse<K extends SigningKey = SigningKey> = {
  readonly signingKey: K;
  readonly access: SigningKeyAccess;
};

export type SigningKeyAccess = 'sign' | 'continue' | 'verify';

/** Signs with the current key, and reads its public part. */
export function signWith<K extends SigningKey>(signingKey: K): SigningKeyUse<K> {
  return { signingKey, access: 'sign' };
}

/** The permissions of `signWith`. It also reads the public parts of the earlier keys, since it continues from their statements. */
export function continueWith<K extends SigningKey>(signingKey: K): SigningKeyUse<K> {
  return { signingKey, access: 'continue' };
}

export type SecretUse<S extends Secret = Secret> = {
  readonly secret: S;
  /** A part of the use, so that no other function bundles it. @param given a variable's value; it throws where there is none */
  readonly ringIn: (given: (variable: string) => string) => KeyRing;
};

/** The function gets the secret itself, by a deploy: it needs no call at its start. */
export function withSecret<S extends Secret>(secret: S): SecretUse<S> {
  const variable = secretVariable(secret);
  return { secret, ringIn: (given) => readRing(given(variable), variable) };
}

/** Reads the public parts of the current key and of earlier ones, and signs nothing. */
export function verifyWith<K extends SigningKey>(signingKey: K): SigningKeyUse<K> {
  return { signingKey, access: 'verify' };
}

/** All accesses to the user pool, each once. */
export function poolAccesses(uses: Uses | undefined): UserPoolAccess[] {
  return [...new Set(ofKind(uses, 'userPool').flatMap((use) => use.userPool))];
}

/**
 * The application whose pool the function uses: only one, for all its uses.
 *
 * @throws an Error where the uses name several
 */
export function poolOwner(uses: Uses | undefined, application: Application): Application {
  const [owner = application, ...others] = new Set(ofKind(uses, 'userPool').map(({ of = application }) => of));
  if (others.length > 0)
    throw new Error(`a function uses the pools of ${[owner, ...others].join(' and ')}: only one can be`);
  return owner;
}

export function pushPlatforms<const A extends PushAccess>(access: A) {
  return { pushPlatforms: access } as const;
}

export function eventBus(access: 'publish') {
  return { eventBus: access } as const;
}

/** Notifies people of each event by itself: an alarm that already rings does not report a second event. */
export function tellOperators() {
  return { operators: 'tell' } as const;
}

/** Sends mail to anybody, in the environment's name. Only one function uses it: all others put a mail into its queue. */
export function sendsMail() {
  return { mail: 'send' } as const;
}

/** Joins both lists. (esbuild keeps an array that is spread, but drops a call that is known to be pure.) */
export function joined<const A extends readonly unknown[], const B extends readonly unknown[]>(
  one: A,
  other: B,
): [...A, ...B] {
  return [...one, ...other];
}

export const eventBusVariable = 'EVENT_BUS_NAME';
export const operatorsVariable = 'OPERATORS_TOPIC_ARN';
export const mailVariable = 'MAIL_FROM';
/** The name of SES's configuration set, which lets a mail go by TLS only. */
export const mailTransportVariable = 'MAIL_TRANSPORT';

/** The environment variables of a route that uses the user pool. The client is the mobile app's; `ownAccountClientId` is only for `own-account`. */
export const userPoolVariables = {
  id: 'USER_POOL_ID',
  clientId: 'CLIENT_ID',
  ownAccountClientId: 'OWN_ACCOUNT_CLIENT_ID',
} as const;

/** Whether the function signs the caller in once more, to change the account. */
export function changesOwnAccount(uses: Uses | undefined): boolean {
  return poolAccesses(uses).includes('own-account');
}

/** The uses of one kind: `ofKind(uses, 'bucket')`. */
export function ofKind<K extends KindOfUse>(uses: Uses | undefined, kind: K): Extract<Use, Has<K>>[] {
  return (uses ?? []).filter((use): use is Extract<Use, Has<K>> => kind in use);
}

type KindOf<U> = U extends unknown ? Exclude<keyof U, 'access' | 'prefix' | 'of'> : never;
type KindOfUse = KindOf<Use>;
type Has<K extends string> = { readonly [N in K]: unknown };

/** `ofKind` for the type of a declaration's `uses`. */
export type OfKind<U, K extends KindOfUse> = U extends readonly (infer X)[] ? Extract<X, Has<K>> : never;

/** The names of the tables in the type of a declaration's `uses`. */
export type TableNames<U> = NameOf<OfKind<U, 'table'>>;
type NameOf<U> = U extends TableUse<Table<infer N>> ? N : never;

/** A table, and all accesses to it. */
export type UsedTable = readonly [table: Table, accesses: readonly TableAccess[]];

/** Each table once, in the order of the declaration. */
export function tablesIn(uses: Uses | undefined): UsedTable[] {
  const used = new Map<string, [Table, TableAccess[]]>();
  for (const { table, access } of ofKind(uses, 'table')) {
    const known = used.get(table.name);
    if (known) known[1].push(access);
    else used.set(table.name, [table, [access]]);
  }
  return [...used.values()];
}

/**
 * Removes the tables that an environment lacks. A route exists only where its tables exist. A consumer exists in every
 * environment, and uses the tables that exist there.
 */
export function usesIn(uses: Uses | undefined, environment: Environment): Uses {
  return (uses ?? []).filter((use) => !('table' in use) || tableExistsIn(use.table, environment));
}

/** The accesses that include GetItem. */
const gets: readonly TableAccess[] = ['get', 'read', 'write', 'remove'];

/** The accesses that change no row. */
export const reading: readonly TableAccess[] = ['get', 'batch', 'read', 'scan', 'check'];

export function changesTables(uses: Uses | undefined): boolean {
  return ofKind(uses, 'table').some(({ access }) => !reading.includes(access));
}

/** Whether a call may change something, here or elsewhere: a row, an object, the user pool, or by a message. */
export function hasEffects(uses: Uses | undefined): boolean {
  return changesTables(uses) || (uses ?? []).some((use) => !harmless(use));
}

function harmless(use: Use): boolean {
  if ('bucket' in use) return use.access === 'read' || use.access === 'list';
  return 'table' in use || 'secret' in use || 'signingKey' in use;
}

/** The first table from which the function may read a row; undefined if it may read no table. */
export function firstReadable(uses: Uses | undefined): Table | undefined {
  return ofKind(uses, 'table').find(({ access }) => gets.includes(access))?.table;
}

/**
 * The tables that a route's function reaches in an environment: its declared tables, and the clock if there is one. A
 * function without a table has no business rule that needs the time, so it gets neither.
 *
 * @param here all tables of the environment
 */
export function tablesReached(uses: Uses | undefined, here: readonly Table[]): UsedTable[] {
  const declared = tablesIn(uses);
  const knowsClock = declared.some(([{ name }]) => name === clock.name);
  const found = declared.length > 0 && !knowsClock ? here.find(({ name }) => name === clock.name) : undefined;
  return found ? [...declared, [found, ['read']]] : declared;
}
