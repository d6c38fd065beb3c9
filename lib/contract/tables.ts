import { type Environment, environments } from './deployments.ts';

/** Every DynamoDB table of an environment: its keys and who may do what to it. */

export type Table = {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** The table is a ledger: rows are put once, inside a transaction, and never changed (contract section 4). */
  readonly ledger?: true;
  /** Absent: every environment. What an environment lacks is not in its template. */
  readonly environments?: readonly Environment[];
};

export const tables = {
  /** Consent records; `userAgreement` is `<userId>#<agreementId>`, `recordedAt` strictly increases within it. */
  ConsentRecords: { partitionKey: 'userAgreement', sortKey: 'recordedAt', ledger: true },
  /** The latest record of each user and agreement. */
  ConsentStates: { partitionKey: 'userId', sortKey: 'agreementId' },
  /** The catalogue: agreements, their versions, and which agreement a version belongs to. */
  Agreements: { partitionKey: 'application', sortKey: 'catalogueKey' },
  /** One version policy for each application and platform; `revision` counts its changes. */
  AppVersionPolicies: { partitionKey: 'application', sortKey: 'platform' },
  /** A user's profile under the `userId`; under `email#…` who has that address. */
  Users: { partitionKey: 'userId' },
  /** One row: how far the business rules' time is from the real one. Where there is none, time is real. */
  Clock: { partitionKey: 'clockId', environments: ['dev', 'staging'] },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;

export function tableExistsIn(name: TableName, environment: Environment): boolean {
  const { environments: where = environments }: Table = tables[name];
  return where.includes(environment);
}

/**
 * What a route does to a table: `read` (GetItem, Query), `transact` (GetItem, and PutItem within a transaction alone),
 * `write` (GetItem, Query, PutItem, UpdateItem).
 */
export type Access = 'read' | 'transact' | 'write';

/** The environment variable that carries a table's name: `ConsentRecords` → `CONSENT_RECORDS_TABLE`. */
export function tableVariable(name: TableName): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
