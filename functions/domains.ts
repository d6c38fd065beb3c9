import type { Bucket } from '../lib/contract/buckets.ts';
import * as commonErrors from '../lib/contract/common-errors.ts';
import { guide as commonGuide } from '../lib/contract/common-errors-guide.ts';
import type { Consumer } from '../lib/contract/consumer.ts';
import type { DeclaredError, DocumentedError, Guide } from '../lib/contract/errors.ts';
import { kebabCase } from '../lib/contract/kebab-case.ts';
import type { DomainMetrics } from '../lib/contract/metrics.ts';
import type { Permission } from '../lib/contract/permissions.ts';
import type { ExportedFile, TableData } from '../lib/contract/personal-data.ts';
import type { Queue } from '../lib/contract/queues.ts';
import type { Reference } from '../lib/contract/reference.ts';
import type { Route } from '../lib/contract/route.ts';
import type { Model } from '../lib/contract/schemas.ts';
import type { Secret } from '../lib/contract/secrets.ts';
import type { SigningKey } from '../lib/contract/signing-keys.ts';
import type { Table } from '../lib/contract/tables.ts';
import type { Topic } from '../lib/contract/topics.ts';

/** What a domain's `index.ts` hands on of its declarations. */
export type Domain = {
  /** Its operations, and the schemas that are models of the API under their names here. */
  readonly routes?: Readonly<Record<string, Route | Model['schema']>>;
  /** More of these, and the lists that they are made of. */
  readonly schemas?: Readonly<Record<string, Model['schema'] | readonly string[]>>;
  readonly reference?: Reference;
  readonly consumers?: Readonly<Record<string, Consumer>>;
  readonly permissions?: Readonly<Record<string, Permission>>;
  readonly queues?: Readonly<Record<string, Queue>>;
  readonly topics?: Readonly<Record<string, Topic>>;
  readonly buckets?: Readonly<Record<string, Bucket>>;
  readonly signingKeys?: Readonly<Record<string, SigningKey>>;
  readonly secrets?: Readonly<Record<string, Secret>>;
  readonly metrics?: DomainMetrics;
  /** What a personal export has beyond the rows. */
  readonly exportFiles?: readonly ExportedFile[];
} & (Stored | { readonly tables?: never; readonly data?: never }) &
  (Documented | { readonly errors?: never; readonly guide?: never });

/** Tables come with whose data they hold. */
type Stored = {
  readonly tables: Readonly<Record<string, Table>>;
  readonly data: Readonly<Record<string, TableData>>;
};

/** Errors come with their explanation for a client's developer. */
type Documented = {
  readonly errors: Readonly<Record<string, DeclaredError>>;
  readonly guide: Readonly<Record<string, Guide>>;
};

/** THE list: one line a domain, which is the folder of its name. An operation's handler is the file in `handlers/` named as it. */
export const domains: Readonly<Record<string, Domain>> = {
  consents: await import('./consents/index.ts'),
  agreements: await import('./agreements/index.ts'),
  receipts: await import('./receipts/index.ts'),
  'consent-events': await import('./consent-events/index.ts'),
  ledger: await import('./ledger/index.ts'),
  statistics: await import('./statistics/index.ts'),
  'app-version': await import('./app-version/index.ts'),
  'mobile-settings': await import('./mobile-settings/index.ts'),
  mail: await import('./mail/index.ts'),
  auth: await import('./auth/index.ts'),
  accounts: await import('./accounts/index.ts'),
  users: await import('./users/index.ts'),
  'app-users': await import('./app-users/index.ts'),
  erasure: await import('./erasure/index.ts'),
  devices: await import('./devices/index.ts'),
  'personal-exports': await import('./personal-exports/index.ts'),
  staff: await import('./staff/index.ts'),
  iam: await import('./iam/index.ts'),
  idempotency: await import('./idempotency/index.ts'),
  audit: await import('./audit/index.ts'),
  overview: await import('./overview/index.ts'),
  health: await import('./health/index.ts'),
  'access-log': await import('./access-log/index.ts'),
  'crm-sites': await import('./crm-sites/index.ts'),
  'crm-users': await import('./crm-users/index.ts'),
  'crm-patients': await import('./crm-patients/index.ts'),
  'agent-board': await import('./agent-board/index.ts'),
  push: await import('./push/index.ts'),
  questionnaires: await import('./questionnaires/index.ts'),
  'questionnaire-responses': await import('./questionnaire-responses/index.ts'),
  sleep: await import('./sleep/index.ts'),
  fhir: await import('./fhir/index.ts'),
  'time-machine': await import('./time-machine/index.ts'),
  'access-codes': await import('./access-codes/index.ts'),
  learning: await import('./learning/index.ts'),
  support: await import('./support/index.ts'),
  groups: await import('./groups/index.ts'),
  research: await import('./research/index.ts'),
  'research-exports': await import('./research-exports/index.ts'),
};

export type Operation = {
  /** The name of the declaration: the OpenAPI `operationId`, and in kebab case the handler's file. */
  readonly id: string;
  readonly domain: string;
  readonly route: Route;
  /** Below the project's root: `functions/consents/handlers/revoke-consent.ts`. */
  readonly file: string;
};

export type ConsumerFunction = Omit<Operation, 'route'> & { readonly consumer: Consumer };

export const operations: readonly Operation[] = Object.entries(domains).flatMap(([domain, { routes = {} }]) =>
  byName(routes).flatMap(([id, route]) => {
    return '_zod' in route ? [] : [{ id, domain, route, file: handlerFile(domain, id) }];
  }),
);

/** The schemas that have names of their own in the OpenAPI document. */
export const models: readonly Model[] = Object.values(domains).flatMap(({ routes = {}, schemas = {} }) =>
  byName({ ...schemas, ...routes }).flatMap(([name, schema]) =>
    '_zod' in schema && schema._zod.def.type !== 'string' ? [{ name, schema }] : [],
  ),
);

/** What the reference says of each domain. */
export const references: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.entries(domains).flatMap(([domain, { reference }]) => (reference ? [[domain, reference]] : [])),
);

export const consumers: readonly ConsumerFunction[] = Object.entries(domains).flatMap(([domain, declared]) =>
  byName(declared.consumers).map(([id, consumer]) => ({
    id,
    domain,
    consumer,
    file: handlerFile(domain, id),
  })),
);

export type OwnedTable = { readonly domain: string; readonly table: Table; readonly data: TableData };

/** Each has one owner, which says whose data is in it. */
export const ownedTables: readonly OwnedTable[] = Object.entries(domains).flatMap(
  ([domain, { tables = {}, data = {} }]) =>
    byName(tables).flatMap(([name, table]) => (data[name] ? [{ domain, table, data: data[name] }] : [])),
);

export type OwnedFile = { readonly domain: string; readonly file: ExportedFile };

export const exportFiles: readonly OwnedFile[] = Object.entries(domains).flatMap(([domain, { exportFiles = [] }]) =>
  exportFiles.map((file) => ({ domain, file })),
);

export const tables: readonly Table[] = declaredBy(({ tables }) => tables);
export const queues: readonly Queue[] = declaredBy(({ queues }) => queues);
export const topics: readonly Topic[] = declaredBy(({ topics }) => topics);
export const buckets: readonly Bucket[] = declaredBy(({ buckets }) => buckets);
export const signingKeys: readonly SigningKey[] = declaredBy(({ signingKeys }) => signingKeys);
export const secrets: readonly Secret[] = declaredBy(({ secrets }) => secrets);

/** @throws an Error where no domain declares it */
export function tableNamed(name: string): Table {
  const found = tables.find((table) => table.name === name);
  if (!found) throw new Error(`there is no table ${name}`);
  return found;
}

/** By name. */
export const permissions: readonly Permission[] = Object.values(domains)
  .flatMap(({ permissions = {} }) => Object.values(permissions))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

const documented: readonly Pick<Domain, 'errors' | 'guide'>[] = [
  { errors: commonErrors, guide: commonGuide },
  ...Object.values(domains),
];

/** By status and code. */
export const errors: readonly DocumentedError[] = documented
  .flatMap(({ errors = {}, guide = {} }) =>
    Object.entries(errors).flatMap(([name, error]) => (guide[name] ? [{ error, guide: guide[name] }] : [])),
  )
  .toSorted(({ error: one }, { error: other }) => one.status - other.status || (one.code < other.code ? -1 : 1));

/** Those of every domain, in the order of the list. */
function declaredBy<T>(of: (domain: Domain) => Readonly<Record<string, T>> | undefined): T[] {
  return Object.values(domains).flatMap((domain) => byName(of(domain)).map(([, value]) => value));
}

/** Node lists a module's exports by name, vite as they are written: nothing may follow from what loads it. */
function byName<T>(declared: Readonly<Record<string, T>> = {}): [string, T][] {
  return Object.entries(declared).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function handlerFile(domain: string, id: string): string {
  return `functions/${domain}/handlers/${kebabCase(id)}.ts`;
}
