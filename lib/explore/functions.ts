import { join } from 'node:path';
import { bucketVariable } from '../contract/buckets.ts';
import { type Consumer, intervalOf, readingOf, runsIn } from '../contract/consumer.ts';
import type { Declarations } from '../contract/declarations.ts';
import { type Part, partsOfConsumer, partsOfRoute } from '../contract/parts.ts';
import { type Procedure, procedureVariable } from '../contract/procedures.ts';
import { bundleIdVariable, platformApplicationsVariable } from '../contract/push-platforms.ts';
import { queueVariable } from '../contract/queues.ts';
import type { Application, Environment } from '../contract/register.ts';
import { existsIn, hasCursors, type Route, tablesReachedBy } from '../contract/route.ts';
import { secretVariable } from '../contract/secrets.ts';
import { signingKeyVariable } from '../contract/signing-keys.ts';
import { type TableAtInit, tableReadAtInit } from '../contract/table-at-init.ts';
import { listedTables, listVariable, separator } from '../contract/table-names.ts';
import { type Table, tableExistsIn, tableVariable } from '../contract/tables.ts';
import {
  changesOwnAccount,
  eventBusVariable,
  mailTransportVariable,
  mailVariable,
  ofKind,
  operatorsVariable,
  tablesIn,
  tablesReached,
  type Uses,
  userPoolVariables,
  usesIn,
} from '../contract/uses.ts';

/** The functions of an environment, with the variables that their declarations give them. */

export type Runnable = {
  /** `sleepcare/agree`. */
  readonly name: string;
  readonly id: string;
  readonly file: string;
  /** What its `handler` is given. */
  readonly parts: readonly Part[];
  readonly variables: Readonly<Record<string, string>>;
  readonly atInit: TableAtInit | undefined;
  readonly timeoutMs: number;
  readonly route?: Route;
};

export type Source = {
  readonly fn: Runnable;
  readonly stream?: { readonly table: string; readonly batchSize: number; readonly retries: number };
  readonly queue?: { readonly name: string; readonly batchSize: number; readonly maxReceives: number };
  readonly topic?: string;
  readonly everySeconds?: number;
};

export type Functions = {
  readonly tables: readonly Table[];
  readonly route: (application: Application, id: string) => Runnable;
  readonly sources: readonly Source[];
  /** @param name `sleepcare/SignReceipt` */
  readonly procedure: (name: string) => Runnable;
};

/** The time-outs of lib/stack/settings.ts, in milliseconds. */
const timeouts = { api: 10_000, consumer: 10_000, longConsumer: 60_000, procedure: 20_000, scheduled: 900_000 };

/** Names in the explorer: a table has its own name, and an address ends with the name. */
export function functionsOf(declarations: Declarations, environment: Environment, root: string): Functions {
  const tables = declarations.tables.filter((table) => tableExistsIn(table, environment));
  const routes = new Map<string, Runnable>();
  for (const { id, file, route, dataSubject } of declarations.operations) {
    for (const application of route.applications) {
      if (!existsIn(route, environment, application)) continue;
      const reached = tablesReachedBy(route, dataSubject?.uses ?? [], tables);
      routes.set(`${application}/${id}`, {
        name: `${application}/${id}`,
        id,
        file: join(root, file),
        parts: partsOfRoute(file, route, declarations),
        variables: {
          ...variablesOf(
            [...(route.uses ?? []), ...(dataSubject?.uses ?? [])],
            reached.map(([table]) => table),
            [],
            environment,
            application,
          ),
          ...(hasCursors(route) && { CURSOR_KEY: 'cursorKeyOfTheExplorer'.padEnd(64, '0') }),
        },
        atInit: tableReadAtInit(route),
        timeoutMs: timeouts.api,
        route,
      });
    }
  }
  const applications = [...new Set(declarations.operations.flatMap(({ route }) => route.applications))].sort();
  const procedures = new Map<string, Runnable>();
  const sources = declarations.consumers.flatMap(({ id, file, consumer }) =>
    applications
      .filter((application) => runsIn(consumer, application))
      .flatMap((application): Source[] => {
        const uses = usesIn(consumer.uses, environment);
        const own = tablesIn(uses).map(([table]) => table);
        const reached =
          consumer.schedule || consumer.procedure ? tablesReached(uses, tables).map(([table]) => table) : own;
        const fn: Runnable = {
          name: `${application}/${id}`,
          id,
          file: join(root, file),
          parts: partsOfConsumer(consumer, declarations),
          variables: variablesOf(uses, reached, listedTables(own), environment, application),
          atInit: tableReadAtInit({ uses }),
          timeoutMs: timeoutOf(consumer),
        };
        const { stream, queue, topic, procedure } = consumer;
        if (procedure) {
          procedures.set(nameOfPerformer(application, procedure), fn);
          return [];
        }
        if (stream) {
          const { batchSize, retries } = readingOf(consumer);
          const most = retries < 0 ? Number.POSITIVE_INFINITY : retries;
          return [{ fn, stream: { table: stream.name, batchSize, retries: most } }];
        }
        if (queue) {
          return [{ fn, queue: { name: queue.name, batchSize: consumer.batchSize, maxReceives: queue.maxReceives } }];
        }
        return [topic ? { fn, topic: topic.name } : { fn, everySeconds: intervalOf(consumer as never) }];
      }),
  );
  return {
    tables,
    route: (application, id) => {
      const found = routes.get(`${application}/${id}`);
      if (!found) throw new Error(`${application} has no route ${id}`);
      return found;
    },
    sources,
    procedure: (name) => {
      const found = procedures.get(name);
      if (!found) throw new Error(`nothing performs ${name}`);
      return found;
    },
  };
}

/** What a caller has in its variable. */
function nameOfPerformer(application: Application, { name }: Pick<Procedure, 'name'>): string {
  return `${application}/${name}`;
}

function timeoutOf({ schedule, queue, procedure }: Consumer): number {
  if (procedure) return timeouts.procedure;
  if (schedule) return timeouts.scheduled;
  return queue?.isLong ? timeouts.longConsumer : timeouts.consumer;
}

function variablesOf(
  uses: Uses | undefined,
  tables: readonly Table[],
  listed: readonly Table[],
  environment: Environment,
  application: Application,
): Record<string, string> {
  const named = <D>(declared: readonly D[], variable: (one: D) => string, value: (one: D) => string) =>
    Object.fromEntries(declared.map((one) => [variable(one), value(one)]));
  const nameOf = ({ name }: { readonly name: string }) => name;
  const [pool] = ofKind(uses, 'userPool');
  const [push] = ofKind(uses, 'pushPlatforms');
  const has = (kind: 'eventBus' | 'operators' | 'mail') => ofKind(uses, kind).length > 0;
  return {
    ENVIRONMENT: environment,
    APPLICATION: application,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_REGION: 'eu-central-1',
    ...named(
      tables.filter((table) => !listed.includes(table)),
      tableVariable,
      nameOf,
    ),
    ...(listed.length > 0 && { [listVariable(listed)]: listed.map(nameOf).join(separator) }),
    ...named(
      ofKind(uses, 'queue').map(({ queue }) => queue),
      queueVariable,
      ({ name }) => `https://queues.test/${name}`,
    ),
    ...named(
      ofKind(uses, 'procedure').map(({ procedure }) => procedure),
      procedureVariable,
      (procedure) => nameOfPerformer(application, procedure),
    ),
    ...named(
      ofKind(uses, 'signingKey').map(({ signingKey }) => signingKey),
      signingKeyVariable,
      ({ name }) => `arn:aws:kms:eu-central-1:000000000000:key/${name}`,
    ),
    ...named(
      ofKind(uses, 'bucket').map(({ bucket }) => bucket),
      bucketVariable,
      nameOf,
    ),
    ...named(
      ofKind(uses, 'secret').map(({ secret }) => secret),
      secretVariable,
      ({ name }) => `${name}OfTheExplorer`.padEnd(64, '0'),
    ),
    ...(has('eventBus') && { [eventBusVariable]: 'events' }),
    ...(has('operators') && { [operatorsVariable]: 'arn:aws:sns:eu-central-1:000000000000:operators' }),
    ...(has('mail') && { [mailVariable]: 'service@example.com', [mailTransportVariable]: 'by-tls' }),
    ...(pool && { [userPoolVariables.id]: `pool-${pool.of ?? application}`, [userPoolVariables.clientId]: 'client' }),
    ...(changesOwnAccount(uses) && { [userPoolVariables.ownAccountClientId]: 'own-account' }),
    ...(push && {
      [platformApplicationsVariable]: JSON.stringify({
        'ios/production': 'arn:aws:sns:eu-central-1:000000000000:app/APNS/ios',
        android: 'arn:aws:sns:eu-central-1:000000000000:app/GCM/android',
      }),
      ...(push.pushPlatforms === 'publish' && { [bundleIdVariable]: 'com.example.app' }),
    }),
  };
}
