import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { ifStill } from '../../../lib/runtime/conditions.ts';
import { all, between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove, update } from '../../../lib/runtime/rows.ts';
import {
  type Broadcast,
  begun,
  expiries,
  type Part,
  type Progress,
  type ProgressRow,
  type Settled,
} from '../rules/broadcast.ts';
import type { GroupMessageParts, GroupMessages } from '../tables.ts';

/** Tables `GroupMessages` and `GroupMessageParts`. Every read is strongly consistent. */

type ReadTables = {
  readonly GroupMessages: GroupMessages<'query'>;
  readonly GroupMessageParts: GroupMessageParts<'batchGet'>;
};

export type MadeBroadcastTables = {
  readonly GroupMessages: GroupMessages<'put'>;
  readonly GroupMessageParts: GroupMessageParts<'put'>;
};

/** Sorts after every number of a part. */
const progressPart = '~progress';

export async function readBroadcast(
  table: GroupMessages<'get'>,
  { groupId, broadcastId }: Pick<Broadcast, 'groupId' | 'broadcastId'>,
): Promise<Broadcast | null> {
  return get(table, { groupId, broadcastId });
}

export async function readProgress(table: GroupMessageParts<'get'>, broadcastId: string): Promise<Progress | null> {
  return get<ProgressRow>(table, { broadcastId, part: progressPart });
}

export async function readPart(
  table: GroupMessageParts<'get'>,
  { broadcastId, part }: Pick<Part, 'broadcastId' | 'part'>,
): Promise<Part | null> {
  return get<Part>(table, { broadcastId, part });
}

export type Shown = { readonly broadcast: Broadcast; readonly progress: Progress };

/** Newest first. */
export async function readBroadcasts(
  tables: ReadTables,
  groupId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ shown: Shown[]; next: string | null }> {
  const query = { ...inPartition({ groupId }, { broadcastId: all }, after), ScanIndexForward: false };
  const { rows, next } = await queryPage(tables.GroupMessages, query, limit);
  const ids = rows.map(({ broadcastId }) => broadcastId);
  const progress = await readProgressOf(tables.GroupMessageParts, ids);
  return {
    shown: rows.map((broadcast) => ({ broadcast, progress: progress.get(broadcast.broadcastId) ?? begun })),
    next,
  };
}

/** @param broadcastIds at most 100, each once */
export async function readProgressOf(
  table: GroupMessageParts<'batchGet'>,
  broadcastIds: readonly string[],
): Promise<ReadonlyMap<string, Progress>> {
  if (broadcastIds.length === 0) return new Map();
  const keys = broadcastIds.map((broadcastId) => ({ broadcastId, part: progressPart }));
  const rows = await batchGet<ProgressRow>(table, keys);
  return new Map(rows.map((row) => [row.broadcastId, row]));
}

/** The items of a transaction that accepts a broadcast. Its id is new; the group's own row says whether it was accepted before. */
export function putBroadcast(tables: MadeBroadcastTables, broadcast: Broadcast) {
  const { broadcastId } = broadcast;
  const expiresAt = expiries(broadcast).broadcast;
  const progress = { broadcastId, part: progressPart, ...begun, expiresAt };
  return [put(tables.GroupMessages, { ...broadcast, expiresAt }), put(tables.GroupMessageParts, progress)];
}

export type Listing = {
  /** The members of a page who are to get it; none makes no part. */
  readonly userIds: readonly string[];
  /** The last member of the page. */
  readonly after: string | null;
  readonly isListed: boolean;
};

/** The part of the page of this number. */
export function partNumbered(listed: number): string {
  return String(listed).padStart(7, '0');
}

/** The items of a transaction that lists a page of members, on the condition that it is the next one. */
export function putListing(
  table: GroupMessageParts<'put' | 'update'>,
  broadcast: Broadcast,
  { listed }: Progress,
  page: Listing,
) {
  const { broadcastId } = broadcast;
  const { userIds } = page;
  const expiresAt = expiries(broadcast).part;
  const row = { broadcastId, part: partNumbered(listed), userIds, tried: [], isGivenUp: false, revision: 1, expiresAt };
  return [
    ...(userIds.length > 0 ? [put(table, row)] : []),
    update(
      table,
      { broadcastId, part: progressPart },
      {
        UpdateExpression:
          'SET #listed = :next, #after = :after, #isListed = :isListed ADD #total :members, #open :parts',
        ConditionExpression: '#listed = :listed AND #isListed = :false',
        ExpressionAttributeNames: {
          '#listed': 'listed',
          '#after': 'after',
          '#isListed': 'isListed',
          '#total': 'total',
          '#open': 'open',
        },
        ExpressionAttributeValues: {
          ':listed': listed,
          ':next': listed + 1,
          ':after': page.after,
          ':isListed': page.isListed,
          ':false': false,
          ':members': userIds.length,
          ':parts': userIds.length > 0 ? 1 : 0,
        },
      },
    ),
  ];
}

/** The items of a transaction that settles members of a part, on the condition that it is still this one. */
export function putSettled(table: GroupMessageParts<'put' | 'update' | 'remove'>, part: Part, { after, by }: Settled) {
  const { broadcastId } = part;
  const isStill = ifStill('broadcastId', part.revision);
  return [
    after ? put(table, after, isStill) : remove(table, { broadcastId, part: part.part }, isStill),
    update(
      table,
      { broadcastId, part: progressPart },
      {
        UpdateExpression: 'ADD #posted :posted, #skipped :skipped, #failed :failed, #open :open',
        ExpressionAttributeNames: { '#posted': 'posted', '#skipped': 'skipped', '#failed': 'failed', '#open': 'open' },
        ExpressionAttributeValues: {
          ':posted': by.posted,
          ':skipped': by.skipped,
          ':failed': by.failed,
          ':open': by.open,
        },
      },
    ),
  ];
}

/** Parts that are not through, from that of this page on. */
export async function readPartsFrom(
  table: GroupMessageParts<'query'>,
  broadcastId: string,
  { from, after, limit }: { from: number; after: string | null; limit: number },
): Promise<{ parts: string[]; next: string | null }> {
  const query = inPartition({ broadcastId }, { part: between(partNumbered(from), '9999999') }, after);
  const { rows, next } = await queryPage<Part>(table, query, limit);
  return { parts: rows.map(({ part }) => part), next };
}
