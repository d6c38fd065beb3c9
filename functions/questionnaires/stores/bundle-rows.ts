import { cached } from '../../../lib/runtime/cached.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get } from '../../../lib/runtime/rows.ts';
import { type Replacement, replaceVersioned } from '../../audit/exports.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import type { Bundle, BundleRow } from '../rules/bundle.ts';
import type { Questionnaires } from '../tables.ts';

/** Table `Questionnaires`: the bundles. They have one partition key, because they are few and are read together. */

const bundles = 'bundles';

/** All bundles, by id. */
export async function readBundles(table: Questionnaires<'query'>): Promise<Bundle[]> {
  return queryAll<BundleRow>(table, inPartition({ part: bundles }));
}

/** The same time as for the cached catalogue of agreements. */
const bundlesMs = 5_000;
const kept = new Map<string, () => Promise<Bundle[]>>();

/** All bundles, from a cache of at most five seconds, for requests that come at each start of the app. */
export async function keptBundles(table: Questionnaires<'query'>): Promise<Bundle[]> {
  const known = kept.get(table.name);
  if (known) return known();
  const load = cached(() => readBundles(table), bundlesMs, elapsedMs);
  kept.set(table.name, load);
  return load();
}

export async function readBundlePage(
  table: Questionnaires<'query'>,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Bundle[]; next: string | null }> {
  const query = inPartition({ part: bundles }, { name: all }, after);
  const { rows: found, next } = await queryPage<BundleRow>(table, query, limit);
  return { found, next };
}

export async function readBundle(table: Questionnaires<'get'>, bundleId: string): Promise<BundleRow | null> {
  return get<BundleRow>(table, { part: bundles, name: bundleId });
}

/** @returns false if another writer was first */
export async function writeBundle(
  tables: {
    readonly Questionnaires: Questionnaires<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  },
  row: BundleRow,
  more: Pick<Replacement, 'audit' | 'beside'>,
): Promise<boolean> {
  const { Questionnaires: rows, AuditEvents: events } = tables;
  return replaceVersioned({ rows, AuditEvents: events }, { key: { part: bundles, name: row.bundleId }, row, ...more });
}
