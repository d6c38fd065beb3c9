import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Site } from '../rules/site.ts';

/** Table `Sites`. A site's row and that of its code change in one transaction. Every read is strongly consistent. */

export async function readSite(client: DynamoDBDocumentClient, table: string, siteId: string): Promise<Site | null> {
  return read<Site>(client, table, siteKeyOf(siteId));
}

/** Whose short code it is; null where it is nobody's, or no more. */
export async function readSiteOfCode(
  client: DynamoDBDocumentClient,
  table: string,
  code: string,
): Promise<string | null> {
  return (await read<{ siteId: string }>(client, table, codeKeyOf(code)))?.siteId ?? null;
}

async function read<Row>(client: DynamoDBDocumentClient, TableName: string, Key: Key): Promise<Row | null> {
  const found = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return (found.Item as Row | undefined) ?? null;
}

/** In the order in which they were made. */
export async function readSites(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ sites: Site[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'kind = :kind',
    ExpressionAttributeValues: { ':kind': 'site' },
    ...(after !== null && { ExclusiveStartKey: siteKeyOf(after) }),
  };
  const { rows: sites, hasMore } = await queryPage<Site>(client, query, limit);
  return { sites, next: hasMore ? (sites.at(-1)?.siteId ?? null) : null };
}

/**
 * What other domains show of sites; one that is not there is left out.
 *
 * @param siteIds at most 100 different ones
 */
export async function readSiteNames(
  client: DynamoDBDocumentClient,
  table: string,
  siteIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<Site, 'siteId' | 'name' | 'timezone'>>> {
  const keys = [...new Set(siteIds)].map(siteKeyOf);
  const sites = keys.length === 0 ? [] : await batchGet<Site>(client, table, keys);
  return new Map(sites.map((site) => [site.siteId, site]));
}

type Key = { kind: 'site' | 'code'; siteKey: string };

function siteKeyOf(siteId: string): Key {
  return { kind: 'site', siteKey: siteId };
}

function codeKeyOf(code: string): Key {
  return { kind: 'code', siteKey: code };
}

const isNew = { ConditionExpression: 'attribute_not_exists(kind)' };

/** Items of a transaction: a site as it is now, on the condition that it is still what it was decided on. */
export function putSite(table: string, site: Site, before: Site | null) {
  const Item = { ...siteKeyOf(site.siteId), ...site };
  const isStill = before && {
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': before.revision },
  };
  const code = { ...codeKeyOf(site.code), siteId: site.siteId };
  return [
    { Put: { TableName: table, Item, ...(isStill ?? isNew) } },
    ...(before ? [{ Delete: { TableName: table, Key: codeKeyOf(before.code) } }] : []),
    // Of two sites that draw one code the second draws anew.
    { Put: { TableName: table, Item: code, ...isNew } },
  ];
}

/** The condition that a site is open; with `code` also that this is its code. */
export function siteIsOpen(table: string, siteId: string, code: string | null) {
  const check = {
    TableName: table,
    Key: siteKeyOf(siteId),
    ConditionExpression: code === null ? '#status = :open' : '#status = :open AND code = :code',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':open': 'open', ...(code !== null && { ':code': code }) },
  };
  return { ConditionCheck: check };
}
