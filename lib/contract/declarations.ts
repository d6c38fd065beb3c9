import type { AuditAction } from './audit-actions.ts';
import type { Bucket } from './buckets.ts';
import * as commonErrors from './common-errors.ts';
import { guide as commonGuide } from './common-errors-guide.ts';
import type { Consumer } from './consumer.ts';
import type { DeclaredError, DocumentedError, Guide } from './errors.ts';
import { kebabCase } from './kebab-case.ts';
import type { DomainMetrics } from './metrics.ts';
import type { Permission } from './permissions.ts';
import type { ExportedFile, TableData } from './personal-data.ts';
import type { Procedure } from './procedures.ts';
import type { Product } from './product.ts';
import type { Queue } from './queues.ts';
import type { Reference } from './reference.ts';
import type { RegisteredDataSubject } from './register.ts';
import type { Route } from './route.ts';
import type { Model } from './schemas.ts';
import type { Secret } from './secrets.ts';
import type { SigningKey } from './signing-keys.ts';
import type { Table } from './tables.ts';
import type { Topic } from './topics.ts';
import type { TableUse } from './uses.ts';

/** What a domain's `index.ts` hands on of its declarations. */
export type Domain = {
  /** Its operations, and the schemas that are models of the API under their names here. */
  readonly routes?: Readonly<Record<string, Route | Model['schema']>>;
  /** More of these, and the lists that they are made of. */
  readonly schemas?: Readonly<Record<string, Model['schema'] | readonly string[]>>;
  readonly reference?: Reference;
  readonly consumers?: Readonly<Record<string, Consumer>>;
  readonly permissions?: Readonly<Record<string, Permission>>;
  readonly procedures?: Readonly<Record<string, Procedure>>;
  readonly queues?: Readonly<Record<string, Queue>>;
  readonly topics?: Readonly<Record<string, Topic>>;
  readonly buckets?: Readonly<Record<string, Bucket>>;
  readonly signingKeys?: Readonly<Record<string, SigningKey>>;
  readonly secrets?: Readonly<Record<string, Secret>>;
  readonly auditActions?: Readonly<Record<string, AuditAction>>;
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

/** By name, which is the name of the folder. */
export type Domains = Readonly<Record<string, Domain>>;

export type Operation = {
  /** The name of the declaration: the OpenAPI `operationId`, and in kebab case the handler's file. */
  readonly id: string;
  readonly domain: string;
  readonly route: Route;
  /** Below the project's root: `functions/consents/handlers/revoke-consent.ts`. */
  readonly file: string;
  /** What follows from the route's `dataSubject`; absent where it has none. */
  readonly dataSubject?: {
    /** The tables that the check reads and the log writes: the route's function gets grants for them. */
    readonly uses: readonly TableUse[];
    /** What the OpenAPI document says of it. */
    readonly lines: readonly string[];
  };
};

/** What follows from a route's `dataSubject` (register.ts). */
export type DataSubjectRules = {
  readonly usesOf: (dataSubject: RegisteredDataSubject) => readonly TableUse[];
  readonly linesOf: (dataSubject: RegisteredDataSubject) => readonly string[];
};

export type ConsumerFunction = Omit<Operation, 'route' | 'dataSubject'> & { readonly consumer: Consumer };

export type OwnedTable = { readonly domain: string; readonly table: Table; readonly data: TableData };

export type OwnedFile = { readonly domain: string; readonly file: ExportedFile };

/** What all domains declare together. */
export type Declarations = {
  /** Of the domains and the gateway's functions, below the project's root. */
  readonly folder: string;
  readonly domains: Domains;
  readonly operations: readonly Operation[];
  readonly consumers: readonly ConsumerFunction[];
  /** The schemas that have names of their own in the OpenAPI document. */
  readonly models: readonly Model[];
  /** What the reference says of each domain. */
  readonly references: Readonly<Record<string, Reference>>;
  /** Each has one owner, which says whose data is in it. */
  readonly ownedTables: readonly OwnedTable[];
  readonly exportFiles: readonly OwnedFile[];
  readonly tables: readonly Table[];
  readonly procedures: readonly Procedure[];
  readonly queues: readonly Queue[];
  readonly topics: readonly Topic[];
  readonly buckets: readonly Bucket[];
  readonly signingKeys: readonly SigningKey[];
  readonly secrets: readonly Secret[];
  readonly auditActions: readonly AuditAction[];
  /** By name. */
  readonly permissions: readonly Permission[];
  /** By status and code. */
  readonly errors: readonly DocumentedError[];
};

/**
 * @param folder the folder of the domains, below the project's root. An operation's handler is the file in `handlers/` named as it.
 * @param rules absent in a product without routes about other people
 * @throws an Error where a route is about somebody and the product has no rules
 */
export function declarationsOf(domains: Domains, folder: string, rules?: DataSubjectRules): Declarations {
  const all = Object.entries(domains);
  /** Those of every domain, in the order of the list. */
  const declaredBy = <T>(of: (domain: Domain) => Readonly<Record<string, T>> | undefined): T[] =>
    all.flatMap(([, domain]) => byName(of(domain)).map(([, value]) => value));
  const fileOf = (domain: string, id: string) => `${folder}/${domain}/handlers/${kebabCase(id)}.ts`;
  const documented = [{ errors: commonErrors, guide: commonGuide }, ...Object.values(domains)];
  return {
    folder,
    domains,
    operations: all.flatMap(([domain, { routes = {} }]) =>
      byName(routes).flatMap(([id, route]) => {
        if ('_zod' in route) return [];
        return [{ id, domain, route, file: fileOf(domain, id), ...followsFrom(route, rules) }];
      }),
    ),
    consumers: all.flatMap(([domain, declared]) =>
      byName(declared.consumers).map(([id, consumer]) => ({ id, domain, consumer, file: fileOf(domain, id) })),
    ),
    models: all.flatMap(([, { routes = {}, schemas = {} }]) =>
      byName({ ...schemas, ...routes }).flatMap(([name, schema]) =>
        '_zod' in schema && schema._zod.def.type !== 'string' ? [{ name, schema }] : [],
      ),
    ),
    references: Object.fromEntries(all.flatMap(([domain, { reference }]) => (reference ? [[domain, reference]] : []))),
    ownedTables: all.flatMap(([domain, { tables = {}, data = {} }]) =>
      byName(tables).flatMap(([name, table]) => (data[name] ? [{ domain, table, data: data[name] }] : [])),
    ),
    exportFiles: all.flatMap(([domain, { exportFiles = [] }]) => exportFiles.map((file) => ({ domain, file }))),
    tables: declaredBy(({ tables }) => tables),
    procedures: declaredBy(({ procedures }) => procedures),
    queues: declaredBy(({ queues }) => queues),
    topics: declaredBy(({ topics }) => topics),
    buckets: declaredBy(({ buckets }) => buckets),
    signingKeys: declaredBy(({ signingKeys }) => signingKeys),
    secrets: declaredBy(({ secrets }) => secrets),
    auditActions: declaredBy(({ auditActions }) => auditActions),
    permissions: all
      .flatMap(([, { permissions = {} }]) => Object.values(permissions))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    errors: documented
      .flatMap(({ errors = {}, guide = {} }: Pick<Domain, 'errors' | 'guide'>) =>
        Object.entries(errors).flatMap(([name, error]) => (guide[name] ? [{ error, guide: guide[name] }] : [])),
      )
      .toSorted(({ error: one }, { error: other }) => one.status - other.status || (one.code < other.code ? -1 : 1)),
  };
}

function followsFrom(
  { dataSubject, method, path }: Route,
  rules: DataSubjectRules | undefined,
): Pick<Operation, 'dataSubject'> {
  if (dataSubject === undefined) return {};
  if (!rules) throw new Error(`${method} ${path} is about somebody, and the product says nothing of that`);
  return { dataSubject: { uses: rules.usesOf(dataSubject), lines: rules.linesOf(dataSubject) } };
}

/** What the product's module exports: its facts and its declarations. Threads of lib load it by its path. */
export type ProductModule = {
  readonly product: Product;
  readonly declarations: Declarations;
  /** Of researchers and auditors, to exported tables. */
  readonly questions?: readonly Question[];
};

export type Question = {
  readonly id: string;
  /** A description in one line. */
  readonly asks: string;
  readonly sql: string;
};

/** Where a product is, below the project's root. */
export type ProductLocation = {
  /** The file that exports a `ProductModule`. */
  readonly module: string;
  /** The folder of its sources, which the local stage can follow. */
  readonly folder: string;
};

/** @throws an Error where no domain declares it */
export function tableNamed({ tables }: Pick<Declarations, 'tables'>, name: string): Table {
  const found = tables.find((table) => table.name === name);
  if (!found) throw new Error(`there is no table ${name}`);
  return found;
}

/** Node lists a module's exports by name, vite as they are written: nothing may follow from what loads it. */
function byName<T>(declared: Readonly<Record<string, T>> = {}): [string, T][] {
  return Object.entries(declared).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
