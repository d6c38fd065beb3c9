import { type BucketAccess, bucketVariable } from '../contract/buckets.ts';
import type { Application, Environment } from '../contract/deployments.ts';
import { queueVariable } from '../contract/queues.ts';
import { earlierKeysVariable, type SigningKeyName, signingKeyVariable } from '../contract/signing-keys.ts';
import { tableVariable } from '../contract/tables.ts';
import {
  eventBusVariable,
  ofKind,
  type TableAccess,
  type UsedTable,
  type Uses,
  userPoolVariables,
} from '../contract/uses.ts';
import { publishTo, sendTo, useOfBucket, useOfKey, useOfSigningKey, useOfTable, useOfUserPool } from './grants.ts';
import { type Identity, mobileApp } from './identity.ts';
import type { Statement } from './policy.ts';
import { pushVariables, useOfPushPlatforms } from './push-platforms.ts';
import type { StateStack } from './state-stack.ts';

/** What follows from a declaration's `uses`: the variables by which a function finds it, and the grants. */
export type Bindings = { readonly variables: Record<string, string>; readonly statements: Statement[] };

type Where = { readonly environment: Environment; readonly application: Application; readonly state: StateStack };

/** @param tables those that the function reaches, the clock included where it asks for the time */
export function bindingsOf(
  uses: Uses | undefined,
  tables: readonly UsedTable[],
  { environment, application, state }: Where,
): Bindings {
  const identity = state.identities[application];
  const queues = ofKind(uses, 'queue').map((use) => use.queue);
  const keys = ofKind(uses, 'signingKey').map((use) => [use.signingKey, use.access] as const);
  const buckets = ofKind(uses, 'bucket').map((use) => [use.bucket, use.access] as const);
  const buses = ofKind(uses, 'eventBus');
  const pools = ofKind(uses, 'userPool');
  return {
    variables: {
      ENVIRONMENT: environment,
      APPLICATION: application,
      ...Object.fromEntries(tables.map(([table]) => [tableVariable(table), state.table(table).name])),
      ...Object.fromEntries(queues.map((name) => [queueVariable(name), state.queue(name).ref])),
      ...Object.fromEntries(keys.map(([name]) => [signingKeyVariable(name), state.signingKey(name).current.attrArn])),
      ...Object.fromEntries(
        keys
          .filter(([name, access]) => access === 'continue' && state.signingKey(name).earlier.length > 0)
          .map(([name]) => [earlierKeysVariable(name), earlierArns(state, name).join(',')]),
      ),
      ...Object.fromEntries(buckets.map(([name]) => [bucketVariable(name), state.bucket(name).ref])),
      ...(buses.length > 0 && { [eventBusVariable]: state.eventBus.ref }),
      ...(pools.length > 0 && userPoolNames(identity)),
      ...pushVariables(uses, environment),
    },
    statements: [
      ...tables.flatMap(([table, accesses]) => useOfTable(state.table(table).arn, accesses)),
      ...queues.map((name) => sendTo(state.queue(name).attrArn)),
      ...keys.flatMap(([name, access]) =>
        useOfSigningKey(state.signingKey(name).current.attrArn, access, earlierArns(state, name)),
      ),
      ...buckets.flatMap(([name, access]) => useOfBucket(state.bucket(name).attrArn, access)),
      ...buses.map(() => publishTo(state.eventBus.attrArn)),
      ...pools.flatMap((use) => useOfUserPool(identity.pool.attrArn, use.userPool)),
      ...useOfPushPlatforms(uses, environment),
      ...useOfDataKey(
        state,
        tables,
        buckets.map(([, access]) => access),
        queues.length > 0,
      ),
    ],
  };
}

function earlierArns(state: StateStack, name: SigningKeyName): string[] {
  return state.signingKey(name).earlier.map(({ attrArn }) => attrArn);
}

/** The key by which the data is encrypted, through each service that holds some of it. */
function useOfDataKey(
  { key }: StateStack,
  tables: readonly UsedTable[],
  buckets: readonly BucketAccess[],
  sends: boolean,
): Statement[] {
  const isRead = (access: TableAccess) => ['get', 'read', 'scan', 'check'].includes(access);
  const onlyGets = (access: BucketAccess) => access === 'read' || access === 'publish';
  return [
    ...(tables.length > 0
      ? [useOfKey(key.attrArn, tables.every(([, accesses]) => accesses.every(isRead)) ? 'read' : 'write', 'dynamodb')]
      : []),
    ...(buckets.length > 0 ? [useOfKey(key.attrArn, buckets.every(onlyGets) ? 'read' : 'write', 's3')] : []),
    ...(sends ? [useOfKey(key.attrArn, 'write', 'sqs')] : []),
  ];
}

function userPoolNames({ pool, clients }: Identity): Record<string, string> {
  const client = clients.get(mobileApp);
  if (!client) throw new Error(`the user pool has no client ${mobileApp}`);
  return { [userPoolVariables.id]: pool.ref, [userPoolVariables.clientId]: client.ref };
}
