import { type Environment, environments } from './deployments.ts';

/** Every DynamoDB table of an environment: its keys and who may do what to it. */

export type Table = {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** The table is a ledger: rows are put once, inside a transaction, and never changed (contract section 4). */
  readonly ledger?: true;
  /** Committed changes, with the row before and after, are there for a day to be consumed (`lib/contract/consumer.ts`). */
  readonly stream?: true;
  /** Rows go by themselves, some time after `expiresAt` (seconds since 1970); a ledger's once the expiry role has set it. */
  readonly expires?: true;
  /** Absent: every environment. What an environment lacks is not in its template. */
  readonly environments?: readonly Environment[];
};

export const tables = {
  /** Consent records; `userAgreement` is `<userId>#<agreementId>`, `recordedAt` strictly increases within it. */
  ConsentRecords: { partitionKey: 'userAgreement', sortKey: 'recordedAt', ledger: true, stream: true, expires: true },
  /** The latest record of each user and agreement. */
  ConsentStates: { partitionKey: 'userId', sortKey: 'agreementId' },
  /** The signed receipt of a record, under the record's own key, once somebody asked for it. */
  ConsentReceipts: { partitionKey: 'userAgreement', sortKey: 'recordedAt', expires: true },
  /** The public parts of the keys that receipts were ever signed with, retired ones included. */
  SigningKeys: { partitionKey: 'purpose', sortKey: 'keyId', ledger: true },
  /** How many consent to each version, by day; and how far each chain of records is counted. Made from the ledger's stream. */
  ConsentStatistics: { partitionKey: 'agreementId', sortKey: 'statisticsKey', expires: true },
  /** Who administered what, and when; `eventId` increases with time. */
  AuditEvents: { partitionKey: 'application', sortKey: 'eventId', ledger: true },
  /** A user's erasure, its tombstone and a legal hold (`user`, userId); what is to be done next and when (`due#<application>` or `due#release`, `<time>#<userId>`). */
  Erasures: { partitionKey: 'kind', sortKey: 'erasureKey', stream: true },
  /** The catalogues: agreements, their versions, which agreement a version belongs to, and the revision of each catalogue. */
  Agreements: { partitionKey: 'application', sortKey: 'catalogueKey' },
  /** One version policy for each application and platform; `revision` counts its changes. */
  AppVersionPolicies: { partitionKey: 'application', sortKey: 'platform' },
  /** A user's profile under the `userId`; under `email#…` who has that address. */
  Users: { partitionKey: 'userId' },
  /**
   * The agent board. A user's messages by `messageId`, which increases with time; after them, under `~board`, how many are
   * unread. A message's row carries the event that it is the outcome of: what a push needs.
   */
  AgentBoardMessages: { partitionKey: 'userId', sortKey: 'messageId', stream: true },
  /** The phones that a user gets pushes on. */
  Devices: { partitionKey: 'userId', sortKey: 'deviceId' },
  /** Whose device has a push token (`token#<SHA-256>`) and an endpoint of SNS's (`endpoint#<ARN>`): each has one. */
  DeviceTokens: { partitionKey: 'tokenKey' },
  /** One row: how far the business rules' time is from the real one. Where there is none, time is real. */
  Clock: { partitionKey: 'clockId', environments: ['dev', 'staging'] },
  /** Which push went to which device, so that none is sent twice; `delivery` is `<userId>#<event>#<deviceId>`. */
  PushDeliveries: { partitionKey: 'delivery', expires: true },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;

export function tableExistsIn(name: TableName, environment: Environment): boolean {
  const { environments: where = environments }: Table = tables[name];
  return where.includes(environment);
}

/**
 * What a route does to a table: `read` (GetItem, Query), `transact` (GetItem, and PutItem within a transaction alone),
 * `write` (GetItem, Query, PutItem, UpdateItem), `move` (GetItem, Query, and PutItem and DeleteItem within a transaction
 * alone: rows of several keys come, go and change hands together), `amend` (GetItem, Query, and PutItem within a
 * transaction alone: a change and its audit event), `append` (PutItem within a transaction alone), `scan` (Scan),
 * `delete` (GetItem, Query, DeleteItem), `expire` (Query, and UpdateItem of a ledger's `expiresAt` alone: the
 * function runs as the environment's expiry role, which one function in each application can).
 */
export type Access = 'read' | 'transact' | 'write' | 'move' | 'amend' | 'append' | 'scan' | 'delete' | 'expire';

/** The environment variable that carries a table's name: `ConsentRecords` → `CONSENT_RECORDS_TABLE`. */
export function tableVariable(name: TableName): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
