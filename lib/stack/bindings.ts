import { Fn } from 'aws-cdk-lib/core';
import type { BucketUse } from '../contract/bucket-uses.ts';
import { bucketVariable } from '../contract/buckets.ts';
import { procedureVariable } from '../contract/procedures.ts';
import { queueVariable } from '../contract/queues.ts';
import type { Application, Environment } from '../contract/register.ts';
import { secretVariable } from '../contract/secrets.ts';
import { earlierKeysVariable, type SigningKey, signingKeyVariable } from '../contract/signing-keys.ts';
import { knownParts, listedTables, listVariable, separator } from '../contract/table-names.ts';
import { type Table, tableVariable } from '../contract/tables.ts';
import {
  changesOwnAccount,
  eventBusVariable,
  mailTransportVariable,
  mailVariable,
  ofKind,
  operatorsVariable,
  poolAccesses,
  poolOwner,
  reading,
  type TableAccess,
  tablesIn,
  type UsedTable,
  type Uses,
  userPoolVariables,
} from '../contract/uses.ts';
import {
  callFunction,
  mailFrom,
  publishTo,
  tellBy,
  useOfBucket,
  useOfKey,
  useOfPrefixes,
  useOfQueue,
  useOfSigningKey,
  useOfTable,
  useOfUserPool,
} from './grants.ts';
import { mobileApp } from './identity.ts';
import { procedureFunctionName } from './names.ts';
import type { Statement } from './policy.ts';
import { pushVariables, useOfPushPlatforms } from './push-platforms.ts';
import { referenceTo } from './secrets.ts';
import type { SharedIdentity, SharedState } from './shared-state.ts';

/** Derived from a declaration's `uses`: the environment variables of the function, and its grants. */
export type Bindings = { readonly variables: Record<string, string>; readonly statements: Statement[] };

type Where = {
  readonly environment: Environment;
  readonly application: Application;
  readonly state: SharedState;
  /** Whether the names of many tables share one variable, which the code of consumers reads. */
  readonly listsTables?: boolean;
};

/** @param tables the tables that the function reaches; the clock is one of them where the function needs the time */
export function bindingsOf(
  uses: Uses | undefined,
  tables: readonly UsedTable[],
  { environment, application, state, listsTables = false }: Where,
): Bindings {
  const { settings } = state;
  const identity = state.identity(poolOwner(uses, application));
  const queues = ofKind(uses, 'queue').map((use) => use.queue);
  const keys = ofKind(uses, 'signingKey').map((use) => [use.signingKey, use.access] as const);
  const buckets = ofKind(uses, 'bucket');
  const prefixed = buckets.filter((use) => 'prefix' in use);
  const secrets = ofKind(uses, 'secret').map((use) => use.secret);
  const called = ofKind(uses, 'procedure').map(
    ({ procedure }) => [procedure, procedureFunctionName(environment, application, procedure)] as const,
  );
  const buses = ofKind(uses, 'eventBus');
  const pools = ofKind(uses, 'userPool');
  const mails = ofKind(uses, 'mail').length > 0;
  const tells = ofKind(uses, 'operators').length > 0;
  // The clock is no part of them: a function that does not declare it reads it, too.
  const listed = listsTables ? listedTables(tablesIn(uses).map(([table]) => table)) : [];
  return {
    variables: {
      ENVIRONMENT: environment,
      APPLICATION: application,
      ...Object.fromEntries(
        tables.flatMap(([table]) => (listed.includes(table) ? [] : [[tableVariable(table), state.table(table).name]])),
      ),
      ...(listed.length > 0 && { [listVariable(listed)]: namesOf(listed, environment, state) }),
      ...Object.fromEntries(queues.map((queue) => [queueVariable(queue), state.queue(queue).ref])),
      ...Object.fromEntries(called.map(([procedure, name]) => [procedureVariable(procedure), name])),
      ...Object.fromEntries(keys.map(([key]) => [signingKeyVariable(key), state.signingKey(key).current.attrArn])),
      ...Object.fromEntries(
        keys
          .filter(([key, access]) => access !== 'sign' && state.signingKey(key).earlier.length > 0)
          .map(([key]) => [earlierKeysVariable(key), earlierArns(state, key).join(',')]),
      ),
      ...Object.fromEntries(buckets.map(({ bucket }) => [bucketVariable(bucket), state.bucket(bucket).ref])),
      ...Object.fromEntries(secrets.map((secret) => [secretVariable(secret), referenceTo(state.secret(secret))])),
      ...(buses.length > 0 && { [eventBusVariable]: state.eventBus.ref }),
      ...(tells && { [operatorsVariable]: state.watch.topicArn }),
      ...(mails && { [mailVariable]: settings.mail.from, [mailTransportVariable]: state.mailTransport.ref }),
      ...(pools.length > 0 && userPoolNames(identity)),
      ...(changesOwnAccount(uses) && { [userPoolVariables.ownAccountClientId]: identity.ownAccountClient.ref }),
      ...pushVariables(uses, environment, settings),
    },
    statements: [
      ...tables.flatMap(([table, accesses]) => useOfTable(state.table(table).arn, accesses, table)),
      ...queues.map((queue) => useOfQueue(state.queue(queue).attrArn)),
      ...called.map(([, name]) => callFunction(name)),
      ...keys.flatMap(([key, access]) =>
        useOfSigningKey(state.signingKey(key).current.attrArn, access, earlierArns(state, key)),
      ),
      ...[...Map.groupBy(prefixed, ({ bucket }) => bucket)].flatMap(([bucket, all]) =>
        useOfPrefixes(state.bucket(bucket).attrArn, all),
      ),
      ...buckets.flatMap((use) => ('prefix' in use ? [] : useOfBucket(state.bucket(use.bucket).attrArn, use))),
      ...buses.map(() => publishTo(state.eventBus.attrArn)),
      ...(tells ? [tellBy(state.watch.topicArn), useOfKey(state.key.attrArn, 'write', 'sns')] : []),
      ...(mails ? [mailFrom(settings.mail, state.mailTransport.ref)] : []),
      ...useOfUserPool(identity.pool.attrArn, poolAccesses(uses)),
      ...useOfPushPlatforms(uses, environment, settings),
      ...useOfDataKey(state, tables, buckets, queues.length > 0),
    ],
  };
}

/** Only CloudFormation knows the names, so it makes their short forms. */
function namesOf(listed: readonly Table[], environment: Environment, state: SharedState): string {
  const short = listed.map((table) => {
    const shorten = (name: string, [mark, text]: readonly [string, string]) => Fn.join(mark, Fn.split(text, name));
    return knownParts(environment, table).reduce(shorten, state.table(table).name);
  });
  return Fn.join(separator, short);
}

function earlierArns(state: SharedState, key: SigningKey): string[] {
  return state.signingKey(key).earlier.map(({ attrArn }) => attrArn);
}

/** Grants the key that encrypts the data, through each service that the function uses. */
function useOfDataKey(
  { key }: SharedState,
  tables: readonly UsedTable[],
  buckets: readonly BucketUse[],
  sends: boolean,
): Statement[] {
  const isRead = (access: TableAccess) => reading.includes(access);
  const onlyGets = ({ access }: BucketUse) => ['read', 'hold', 'list', 'clear'].includes(access);
  return [
    ...(tables.length > 0
      ? [useOfKey(key.attrArn, tables.every(([, accesses]) => accesses.every(isRead)) ? 'read' : 'write', 'dynamodb')]
      : []),
    ...(buckets.length > 0 ? [useOfKey(key.attrArn, buckets.every(onlyGets) ? 'read' : 'write', 's3')] : []),
    ...(sends ? [useOfKey(key.attrArn, 'write', 'sqs')] : []),
  ];
}

function userPoolNames({ pool, clients }: SharedIdentity): Record<string, string> {
  const client = clients.get(mobileApp);
  if (!client) throw new Error(`the user pool has no client ${mobileApp}`);
  return { [userPoolVariables.id]: pool.ref, [userPoolVariables.clientId]: client.ref };
}
