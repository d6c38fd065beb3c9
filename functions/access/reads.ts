import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { Accounts, accountPart, neverClosed } from '../../lib/contract/accounts.ts';
import type { Table } from '../../lib/contract/tables.ts';
import { readAccount } from '../../lib/runtime/accounts.ts';
import { batchGet } from '../../lib/runtime/batch-get.ts';
import { queryAll } from '../../lib/runtime/query-all.ts';
import { CareRelations, Staff, siteOfPart, staffProfile } from './about.ts';
import { ConsentStates, isConsenting } from './consent-states.ts';

/** The reads for the check of a route about another person. All are strongly consistent, and as many as possible run at once. */

export type Reads = { readonly client: DynamoDBDocumentClient; readonly nameOf: (table: Table) => string };

/** A valid consent, as its latest record says. */
export type Consent = { readonly recordId: string; readonly recordedAt: string; readonly versionId: string };

/** The person who looks. */
export type Worker = { readonly name: string | null; readonly sites: readonly string[] };

/** The person whose data is looked at. */
export type Person = {
  readonly isOpen: boolean;
  /** The sites, each with the time since which the patient is with it. */
  readonly sites: readonly { readonly siteId: string; readonly since: string }[];
  readonly consent: Consent | null;
};

type State = Consent & { readonly userId: string; readonly action: 'agreed' | 'revoked' };

export async function readStaff({ client, nameOf }: Reads, userId: string): Promise<Worker> {
  const rows = await queryAll<{ part: string; name?: string }>(client, byUser(nameOf(Staff), userId));
  return {
    name: rows.find(({ part }) => part === staffProfile)?.name ?? null,
    sites: rows.map(({ part }) => siteOfPart(part)).filter((siteId) => siteId !== null),
  };
}

/** @param agreementId null where no consent is needed */
export async function readPerson(
  { client, nameOf }: Reads,
  userId: string,
  agreementId: string | null,
): Promise<Person> {
  const [account, sites, state] = await Promise.all([
    readAccount(client, { table: nameOf(Accounts), userId }),
    queryAll<Person['sites'][number]>(client, byUser(nameOf(CareRelations), userId)),
    agreementId === null ? null : readState({ client, nameOf }, { userId, agreementId }),
  ]);
  return { isOpen: !account.isClosed, sites, consent: isConsenting(state, account.ends) ? state : null };
}

/**
 * Reads which of these people consent, and whose accounts are closed.
 *
 * @param people at most 100, each once
 */
export async function readConsents(
  { client, nameOf }: Reads,
  people: readonly string[],
  agreementId: string,
): Promise<{ consents: Map<string, Consent>; closed: Set<string> }> {
  const [states, accounts] = await Promise.all([
    batchGet<State>(
      client,
      nameOf(ConsentStates),
      people.map((userId) => ({ userId, agreementId })),
    ),
    batchGet<{ userId: string; isClosed?: boolean; ends?: string[] }>(
      client,
      nameOf(Accounts),
      people.map((userId) => ({ userId, part: accountPart })),
    ),
  ]);
  const closings = new Map(accounts.map((account) => [account.userId, account]));
  const consenting = states.filter((state) => {
    const { isClosed, ends = [] } = closings.get(state.userId) ?? neverClosed;
    return isClosed !== true && isConsenting(state, ends);
  });
  return {
    consents: new Map(consenting.map((state) => [state.userId, state])),
    closed: new Set(accounts.flatMap(({ userId, isClosed }) => (isClosed === true ? [userId] : []))),
  };
}

async function readState({ client, nameOf }: Reads, Key: { userId: string; agreementId: string }) {
  const found = await client.send(new GetCommand({ TableName: nameOf(ConsentStates), Key, ConsistentRead: true }));
  return (found.Item as State | undefined) ?? null;
}

function byUser(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  };
}
