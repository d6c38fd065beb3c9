import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cached } from '../../../lib/runtime/cached.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { readVersioned, replaceVersioned, type Versioned } from '../../audit/exports.ts';
import type { Bundle } from '../rules/bundle.ts';

/** Table `Questionnaires`: the bundles. They have one partition key, because they are few and are read together. */

export type BundleRow = Bundle & Versioned;

const bundles = 'bundles';

/** All bundles, by id. */
export async function readBundles(client: DynamoDBDocumentClient, table: string): Promise<Bundle[]> {
  return queryAll<Bundle>(client, {
    TableName: table,
    KeyConditionExpression: 'part = :part',
    ExpressionAttributeValues: { ':part': bundles },
  });
}

/** The same time as for the cached catalogue of agreements. */
const bundlesMs = 5_000;
const kept = new Map<string, () => Promise<Bundle[]>>();

/** All bundles, from a cache of at most five seconds, for requests that come at each start of the app. */
export async function keptBundles(client: DynamoDBDocumentClient, table: string): Promise<Bundle[]> {
  const known = kept.get(table);
  if (known) return known();
  const load = cached(() => readBundles(client, table), bundlesMs, elapsedMs);
  kept.set(table, load);
  return load();
}

export async function readBundlePage(
  client: DynamoDBDocumentClient,
  table: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Bundle[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'part = :part',
    ExpressionAttributeValues: { ':part': bundles },
    ...(after !== null && { ExclusiveStartKey: { part: bundles, name: after } }),
  };
  const { rows, hasMore } = await queryPage<Bundle>(client, query, limit);
  return { found: rows, next: hasMore ? (rows.at(-1)?.bundleId ?? null) : null };
}

export async function readBundle(
  client: DynamoDBDocumentClient,
  table: string,
  bundleId: string,
): Promise<BundleRow | null> {
  return readVersioned<BundleRow>(client, table, { part: bundles, name: bundleId });
}

/** @returns false if another writer was first */
export async function writeBundle(
  client: DynamoDBDocumentClient,
  { Questionnaires: rows, AuditEvents }: { readonly Questionnaires: string; readonly AuditEvents: string },
  row: BundleRow,
  more: Pick<Parameters<typeof replaceVersioned>[2], 'audit' | 'beside'>,
): Promise<boolean> {
  return replaceVersioned(client, { rows, AuditEvents }, { key: { part: bundles, name: row.bundleId }, row, ...more });
}
