import type { InvokeResult } from '../../functions/result.ts';
import type { UserPoolClientModel, UserPoolModel } from '../../model.ts';
import type { Claims, Owner } from '../access-token.ts';
import type { Directory, PoolData, User } from './directory.ts';
import { findUser } from './directory.ts';
import { failure, invalid } from './failures.ts';
import type { Sessions } from './sessions.ts';

/** The state that every operation uses. */
export type Cognito = {
  readonly pools: () => readonly UserPoolModel[];
  readonly directory: Directory;
  readonly sessions: Sessions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sign: (poolId: string, claims: Omit<Claims, 'issuer'>) => Promise<string>;
  /** The claims of a valid access token of any pool; null for every other text. */
  readonly verify: (token: string) => Promise<({ poolId: string } & Owner) | null>;
  readonly region: () => string;
  /** Invokes a pool's trigger. */
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
};

export type Input = Readonly<Record<string, unknown>>;
export type Operation = (cognito: Cognito, input: Input) => Promise<object>;

export type Place = { readonly pool: UserPoolModel; readonly data: PoolData };

export async function poolIn({ pools, directory }: Cognito, input: Input): Promise<Place> {
  const id = text(input, 'UserPoolId');
  const pool = pools().find((each) => each.id === id);
  if (!pool) throw failure('ResourceNotFoundException', `User pool ${id} does not exist.`);
  return { pool, data: await directory.of(id) };
}

/** The pool of the client that a call without a pool names. */
export async function clientIn(cognito: Cognito, input: Input): Promise<Place & { client: UserPoolClientModel }> {
  const id = text(input, 'ClientId');
  const pool = cognito.pools().find(({ clients }) => clients.some((client) => client.id === id));
  if (!pool) throw failure('ResourceNotFoundException', `User pool client ${id} does not exist.`);
  return { pool, client: clientOf(pool, id), data: await cognito.directory.of(pool.id) };
}

export function clientOf(pool: UserPoolModel, id: string): UserPoolClientModel {
  const client = pool.clients.find((each) => each.id === id);
  if (!client) throw failure('ResourceNotFoundException', `User pool client ${id} does not exist.`);
  return client;
}

/** The user that an administrator names. */
export async function userIn(cognito: Cognito, input: Input): Promise<Place & { user: User }> {
  const place = await poolIn(cognito, input);
  const user = findUser(place.data, text(input, 'Username'));
  if (!user) throw failure('UserNotFoundException', 'User does not exist.');
  return { ...place, user };
}

/** @throws InvalidParameterException, without the value, because it may be a secret. */
export function text(input: Input, name: string, { minimum = 1 } = {}): string {
  const value = input[name];
  const member = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const problem = (what: string) =>
    invalid(`1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must ${what}`);
  if (typeof value !== 'string') throw problem('not be null');
  if (value.length < minimum) throw problem(`have length greater than or equal to ${minimum}`);
  return value;
}

/** A map of strings, as `AuthParameters` is. */
export function parameter(input: Input, map: string, name: string): string {
  const value = (input[map] as Record<string, unknown> | undefined)?.[name];
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`Missing required parameter ${name}`);
  return value;
}
