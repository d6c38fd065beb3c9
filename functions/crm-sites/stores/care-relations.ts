import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Relation } from '../rules/site.ts';
import { siteIsOpen } from './sites.ts';

/** Tables `CareRelations` and `SitePatients`: two rows of one relation, which come and go together. */

export type RelationTables = { readonly CareRelations: string; readonly SitePatients: string };

/** All relations of a patient, who is with a few sites at most. Strongly consistent, like every read here. */
export async function readOwnRelations(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<Relation[]> {
  return queryAll<Relation>(client, ofUser(table, userId));
}

export async function readRelationPage(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ relations: Relation[]; next: string | null }> {
  const query = {
    ...ofUser(table, userId),
    ...(after !== null && { ExclusiveStartKey: { userId, siteId: after } }),
  };
  const { rows: relations, hasMore } = await queryPage<Relation>(client, query, limit);
  return { relations, next: hasMore ? (relations.at(-1)?.siteId ?? null) : null };
}

export async function readRelation(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, siteId }: Pick<Relation, 'userId' | 'siteId'>,
): Promise<Relation | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId, siteId }, ConsistentRead: true }));
  return (found.Item as Relation | undefined) ?? null;
}

/**
 * The items of a transaction that puts a patient with a site. It fails, as if another writer had been first, where the
 * patient is with the site already (read `readOwnRelations` before, which also tells how many there are) or the site is
 * not open. The route declares `relationUses`, and it is the patient's account that has to be open.
 *
 * @param code the site's, where the patient typed it: it has to be the site's still
 */
export function makeRelation(
  tables: RelationTables & { readonly Sites: string },
  { userId, siteId, since }: Relation,
  code: string | null = null,
) {
  const Item = { userId, siteId, since };
  const isNew = { ConditionExpression: 'attribute_not_exists(userId)' };
  return [
    { Put: { TableName: tables.CareRelations, Item, ...isNew } },
    { Put: { TableName: tables.SitePatients, Item } },
    siteIsOpen(tables.Sites, siteId, code),
  ];
}

/** The items of a transaction that ends a relation, on the condition that it is still this one. */
export function endRelation(tables: RelationTables, { userId, siteId, since }: Relation) {
  const Key = { userId, siteId };
  const isStill = { ConditionExpression: 'since = :since', ExpressionAttributeValues: { ':since': since } };
  return [
    { Delete: { TableName: tables.CareRelations, Key, ...isStill } },
    { Delete: { TableName: tables.SitePatients, Key } },
  ];
}

/**
 * The items of a transaction that makes one relation the main one, or none: each row that changes, on the condition that it is still
 * the relation that was read. That nobody chooses another one meanwhile, the patient's row of tries is to see to.
 */
export function mainItems(table: string, relations: readonly Relation[], mainSiteId: string | null) {
  return relations
    .filter(({ siteId, isMain }) => (siteId === mainSiteId) !== (isMain === true))
    .map(({ userId, siteId, since }) => {
      const Item = { userId, siteId, since, ...(siteId === mainSiteId && { isMain: true }) };
      const isStill = { ConditionExpression: 'since = :since', ExpressionAttributeValues: { ':since': since } };
      return { Put: { TableName: table, Item, ...isStill } };
    });
}

function ofUser(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  };
}
