import type { InvokeResult } from '../../functions/result.ts';
import type { UserPoolClientModel, UserPoolModel } from '../../model.ts';
import { type Claims, type Owner, selfService } from '../access-token.ts';
import { type Directory, findUser, type PoolData, type User } from './directory.ts';
import { failure, invalid, notAuthorized } from './failures.ts';
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
  readonly verify: (token: string) => Promise<Owner | null>;
  readonly region: () => string;
  /** Invokes a pool's trigger. */
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
};

export type Input = Readonly<Record<string, unknown>>;
export type Operation = (cognito: Cognito, input: Input) => Promise<object>;

export type PoolContext = { readonly pool: UserPoolModel; readonly data: PoolData };
export type Found = PoolContext & { readonly user: User };
/** Finds the user whom a call is about. */
export type Find = (cognito: Cognito, input: Input) => Promise<Found>;

export function poolIn({ pools, directory }: Cognito, input: Input): PoolContext {
  const id = text(input, 'UserPoolId');
  const pool = pools().find((each) => each.id === id);
  if (!pool) throw failure('ResourceNotFoundException', `User pool ${id} does not exist.`);
  return { pool, data: directory.of(id) };
}

/** The pool of the client that a call without a pool names. */
export function clientIn(cognito: Cognito, input: Input): PoolContext & { client: UserPoolClientModel } {
  const id = text(input, 'ClientId');
  const pool = cognito.pools().find(({ clients }) => clients.some((client) => client.id === id));
  if (!pool) throw failure('ResourceNotFoundException', `User pool client ${id} does not exist.`);
  return { pool, client: clientOf(pool, id), data: cognito.directory.of(pool.id) };
}

export function clientOf(pool: UserPoolModel, id: string): UserPoolClientModel {
  const client = pool.clients.find((each) => each.id === id);
  if (!client) throw failure('ResourceNotFoundException', `User pool client ${id} does not exist.`);
  return client;
}

/** The user that an administrator names. */
export const userIn: Find = async (cognito, input) => {
  const context = poolIn(cognito, input);
  const user = findUser(context.data, text(input, 'Username'));
  if (!user) throw failure('UserNotFoundException', 'User does not exist.');
  return { ...context, user };
};

/**
 * The owner of the call's access token. A token of an ended sign-in is refused here, although its signature is still
 * accepted elsewhere. The exception is the one of a wrong password; only the message differs:
 * https://docs.aws.amazon.com/cognito/latest/developerguide/token-revocation.html
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GlobalSignOut.html
 */
export const ownerOf: Find = async (cognito, input) => {
  const claims = await cognito.verify(text(input, 'AccessToken'));
  const pool = cognito.pools().find(({ id }) => id === claims?.poolId);
  if (!claims || !pool) throw notAuthorized('Invalid Access Token');
  const data = cognito.directory.of(pool.id);
  const user = data.users.get(claims.sub);
  if (!claims.scopes.includes(selfService)) throw notAuthorized('Access Token does not have required scopes');
  if (!user) throw failure('UserNotFoundException', 'User does not exist.');
  if (data.ended.has(claims.origin)) throw notAuthorized('Access Token has been revoked');
  if (!user.isEnabled) throw notAuthorized('User is disabled.');
  return { pool, data, user };
};

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
