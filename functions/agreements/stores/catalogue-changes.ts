import { randomUUID } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isContention, isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import type { Agreement, Version } from '../rules/catalogue.ts';
import { agreementKey, namesPartition, revisionKey, versionNameKey } from '../rules/catalogue-keys.ts';
import { agreementRow, type CatalogueRow, versionRow } from '../rules/catalogue-rows.ts';
import { type Revision, readRevision } from './catalogue-reader.ts';

/**
 * Changes of an application's catalogue, decided one after the other: each moves the catalogue's revision in its own
 * transaction, so that a decision stands on what it read (the limit of agreements, what is published) or is taken anew.
 */

export type Place = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: { readonly Agreements: string; readonly AuditEvents: string };
};

/** Who changes something, in which application's name, when and by which request. */
export type Occasion = Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { readonly realNow: Date };

type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;

export type CatalogueChange = {
  readonly items: (table: string) => Items;
  readonly audit: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>;
};

/** Without a change nothing is written. */
export type Decided = { readonly result: unknown; readonly change?: CatalogueChange };

/**
 * @param decide reads what it decides on, and says what is to be written
 * @param known the revision where it was read already, null for none; read here unless given
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; what the SDK throws where the outcome is unknown
 */
export async function changeCatalogue<D extends Decided>(
  place: Place,
  owner: string,
  occasion: Occasion,
  decide: () => Promise<D>,
  known?: Revision | null,
): Promise<D['result']> {
  return retryOnContention(async (attempt) => {
    // Before what is decided on: a change in between fails the condition.
    const isKnown = attempt === 0 && known !== undefined;
    const revision = isKnown ? known : await readRevision(place.dynamo, place.tables.Agreements, owner);
    const { result, change } = await decide();
    return !change || (await isWritten(place, owner, occasion, change, revision)) ? result : contended;
  });
}

async function isWritten(
  { dynamo, tables }: Place,
  owner: string,
  occasion: Occasion,
  { items, audit }: CatalogueChange,
  before: Revision | null,
): Promise<boolean> {
  const changeId = randomUUID();
  const event = auditEvent({ ...occasion, ...audit, random: randomUUID() });
  const moved = {
    Item: {
      application: namesPartition,
      catalogueKey: revisionKey(owner),
      revision: (before?.revision ?? 0) + 1,
      changeId,
    },
    ...stillIs(before),
  };
  try {
    await dynamo.send(
      new TransactWriteCommand({
        ClientRequestToken: changeId,
        TransactItems: [
          { Put: { TableName: tables.Agreements, ...moved } },
          ...items(tables.Agreements),
          auditPut(tables.AuditEvents, event),
        ],
      }),
    );
    return true;
  } catch (error) {
    if (!isContention(error) && !isUnavailable(error)) throw error;
    // A lost answer is not a lost write.
    const current = await readRevision(dynamo, tables.Agreements, owner);
    if (current?.changeId === changeId) return true;
    if (isContention(error)) return false;
    throw error;
  }
}

function stillIs(revision: Revision | null) {
  return revision
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision.revision } }
    : free;
}

const free = { ConditionExpression: 'attribute_not_exists(application)' } as const;

/** A new agreement and its name, which is unique over both applications. */
export function putAgreement(agreement: Agreement): CatalogueChange['items'] {
  const key = agreementKey(agreement.agreementId);
  return claimed({ catalogueKey: key, owner: agreement.application }, agreementRow(agreement));
}

/** A new version and its name. */
export function putVersion(owner: string, version: Version): CatalogueChange['items'] {
  const { agreementId, versionId } = version;
  return claimed({ catalogueKey: versionNameKey(versionId), owner, agreementId }, versionRow(owner, version));
}

function claimed(
  name: { catalogueKey: string; owner: string; agreementId?: string },
  row: CatalogueRow,
): CatalogueChange['items'] {
  return (TableName) => [
    { Put: { TableName, Item: { application: namesPartition, ...name }, ...free } },
    { Put: { TableName, Item: row, ...free } },
  ];
}

/** An agreement that is there, under another title or in another position. */
export function replaceAgreement(agreement: Agreement): CatalogueChange['items'] {
  const ConditionExpression = 'attribute_exists(application)';
  return (TableName) => [{ Put: { TableName, Item: agreementRow(agreement), ConditionExpression } }];
}

/** A version in another state, on the condition of the one before, whoever else writes and does not move the revision. */
export function replaceVersion(owner: string, version: Version, before: Version): CatalogueChange['items'] {
  const condition = {
    ConditionExpression: 'publishedAt = :publishedAt AND withdrawnAt = :withdrawnAt',
    ExpressionAttributeValues: { ':publishedAt': before.publishedAt, ':withdrawnAt': before.withdrawnAt },
  };
  return (TableName) => [{ Put: { TableName, Item: versionRow(owner, version), ...condition } }];
}
