/** Every DynamoDB table of an environment: its keys and who may do what to it. */

export type Table = {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** The table is a ledger: rows are put once, inside a transaction, and never changed (contract section 4). */
  readonly ledger?: true;
};

export const tables = {
  /** Consent records; `userAgreement` is `<userId>#<agreementId>`, `recordedAt` strictly increases within it. */
  ConsentRecords: { partitionKey: 'userAgreement', sortKey: 'recordedAt', ledger: true },
  /** The latest record of each user and agreement. */
  ConsentStates: { partitionKey: 'userId', sortKey: 'agreementId' },
  /** The catalogue: agreements, their versions, and which agreement a version belongs to. */
  Agreements: { partitionKey: 'application', sortKey: 'catalogueKey' },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;

/**
 * What a route does to a table: `read` (GetItem, Query), `append` (PutItem within a transaction, nothing else),
 * `write` (GetItem, Query, PutItem, UpdateItem).
 */
export type Access = 'read' | 'append' | 'write';

export type Uses = { readonly [name in TableName]?: Access };

/** The environment variable that carries a table's name: `ConsentRecords` → `CONSENT_RECORDS_TABLE`. */
export function tableVariable(name: TableName): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
