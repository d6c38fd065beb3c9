import { type BucketAccess, type BucketName, buckets } from './buckets.ts';
import type { Environment } from './deployments.ts';
import type { PushAccess } from './push-platforms.ts';
import { type QueueName, queues } from './queues.ts';
import { type SigningKeyAccess, type SigningKeyName, signingKeys } from './signing-keys.ts';
import { type Access, type TableName, tableExistsIn, tables } from './tables.ts';

/** What a route uses beyond its input. Grants and environment variables follow from it, and nothing else is reachable. */

/**
 * What a route does with its application's user pool: `renew` (renews and revokes sessions by the refresh token, which
 * Cognito lets anybody do who has one, so that no grant exists for it), `authenticate` (that, and signs users in), `read`
 * (looks a user up), `close` (disables a user and ends all sessions), `erase` (that, and deletes the user).
 */
export type UserPoolAccess = 'renew' | 'authenticate' | 'read' | 'close' | 'erase';

/** A queue is only ever sent to: who receives from it is its consumer. */
export type Uses = { readonly [name in TableName]?: Access } & { readonly [name in QueueName]?: 'send' } & {
  readonly [name in SigningKeyName]?: SigningKeyAccess;
} & { readonly [name in BucketName]?: BucketAccess } & {
  readonly UserPool?: UserPoolAccess;
  readonly PushPlatforms?: PushAccess;
  /** The environment's event bus, from which other services learn what happened. */
  readonly EventBus?: 'publish';
};

export const eventBusVariable = 'EVENT_BUS_NAME';

/** The environment variables of a route that uses the user pool. The client is the mobile app's. */
export const userPoolVariables = { id: 'USER_POOL_ID', clientId: 'CLIENT_ID' } as const;

export function tablesIn(uses: Uses | undefined): [TableName, Access][] {
  return Object.entries(uses ?? {}).filter((use): use is [TableName, Access] => use[0] in tables);
}

export function queuesIn(uses: Uses | undefined): QueueName[] {
  return Object.keys(uses ?? {}).filter((name): name is QueueName => name in queues);
}

export function signingKeysIn(uses: Uses | undefined): [SigningKeyName, SigningKeyAccess][] {
  return Object.entries(uses ?? {}).filter((use): use is [SigningKeyName, SigningKeyAccess] => use[0] in signingKeys);
}

export function bucketsIn(uses: Uses | undefined): [BucketName, BucketAccess][] {
  return Object.entries(uses ?? {}).filter((use): use is [BucketName, BucketAccess] => use[0] in buckets);
}

/**
 * The tables that a route's function reaches in an environment: those that it declares, and the clock, where there is
 * one. A function without a table has no business rule that asks for the time, and gets neither.
 */
export function tablesReached(uses: Uses | undefined, environment: Environment): [TableName, Access][] {
  const declared = tablesIn(uses);
  const readsClock = declared.length > 0 && !uses?.Clock && tableExistsIn('Clock', environment);
  return readsClock ? [...declared, ['Clock', 'read']] : declared;
}
