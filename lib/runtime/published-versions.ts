import { revisionOf } from '../contract/revision.ts';
import { commit, type Items } from './commit.ts';
import { ifAbsent, ifRevision } from './conditions.ts';
import type { keep } from './immutable-cache.ts';
import { all, inPartition } from './key-range.ts';
import { queryPage } from './query-page.ts';
import { contended, retryOnContention } from './retry-on-contention.ts';
import { get, put } from './rows.ts';
import type { Any, Holding } from './table-handle.ts';

/** A table of published versions: each is written once and never changed. A head for each id says which version is current. */

export type VersionStore<Published> = {
  /** The partition of the heads. */
  readonly heads: string;
  /** What the partition of an id's versions begins with. */
  readonly versions: string;
  readonly kept: ReturnType<typeof keep<Published>>;
};

/** @param version the current version by default */
export async function readPublished<Published>(
  table: Any<'get'>,
  store: VersionStore<Published>,
  id: string,
  version?: string,
): Promise<Published | null> {
  const name = version ?? (await readHead(table, store, id))?.version;
  if (typeof name !== 'string') return null;
  return store.kept(table.client, `${table.name} ${id} ${name}`, () => readStored(table, partOf(store, id), name));
}

function partOf({ versions }: Pick<VersionStore<never>, 'versions'>, id: string): string {
  return `${versions}#${id}`;
}

async function readStored<Published>(table: Any<'get'>, part: string, version: string): Promise<Published | null> {
  const row = await get(table, { part, name: version });
  return row && JSON.parse(String(row.content));
}

function readHead(table: Any<'get'>, { heads }: Pick<VersionStore<never>, 'heads'>, id: string) {
  return get(table, { part: heads, name: id });
}

/** A page of the heads, by id. @param part the shelf's `heads` */
export async function readHeadPage<Head>(
  table: Any<'query'> & Holding<NoInfer<Head>>,
  part: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ rows: Head[]; next: string | null }> {
  const { rows, next } = await queryPage(table as Any<'query'>, inPartition({ part }, { name: all }, after), limit);
  return { rows: rows as Head[], next };
}

export type NewVersion<Published> = {
  readonly id: string;
  readonly version: string;
  readonly published: Published;
  /** What its head says besides the version. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Whether the version that is published already has the same content. */
  readonly isSame: (known: Published) => boolean;
  /** @param before the version that was current until now */
  readonly audit: (before: { readonly version: string } | null) => Items[number];
  /** Called in each attempt, before the write: it throws if the version is refused. The items it returns are written in the same transaction. */
  readonly beside?: (() => Promise<Items>) | undefined;
};

/**
 * Publishes a version with its audit event, which makes it the current one.
 *
 * @returns the version as it was published first; null where it is published with other content
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function publishVersion<Published>(
  table: Any<'get' | 'put'>,
  store: VersionStore<Published>,
  { id, version, published, head, isSame, audit, beside }: NewVersion<Published>,
): Promise<Published | null> {
  return retryOnContention(async () => {
    const part = partOf(store, id);
    const known = await readStored<Published>(table, part, version);
    if (known) return isSame(known) ? known : null;
    const more = (await beside?.()) ?? [];
    const before = await readHead(table, store, id);
    const row = { part, name: version, content: JSON.stringify(published) };
    const moved = { part: store.heads, name: id, ...head, version, revision: revisionOf(before?.revision) + 1 };
    const isWritten = await commit([
      put(table, row, ifAbsent('part')),
      put(table, moved, ifRevision('part', before?.revision)),
      audit(typeof before?.version === 'string' ? { version: before.version } : null),
      ...more,
    ]);
    return isWritten ? published : contended;
  });
}
