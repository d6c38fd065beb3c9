import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Broadcast, isFor, type Progress } from '../rules/broadcast.ts';
import type { Task } from '../rules/task.ts';
import { partNumbered, putListing, readPartsFrom, readProgress } from '../stores/broadcasts.ts';
import { readMembers } from '../stores/memberships.ts';
import type { GroupMembers, GroupMessageParts } from '../tables.ts';

export type Listing = {
  readonly tables: {
    readonly GroupMembers: GroupMembers<'query'>;
    readonly GroupMessageParts: GroupMessageParts<'get' | 'query' | 'put' | 'update'>;
  };
  readonly send: (tasks: readonly Task[]) => Promise<void>;
  /** What varies in a test. */
  readonly sizes?: Sizes;
};

type Sizes = {
  /** Members of a part, which is one message of the queue. */
  readonly partMembers: number;
  /** Pages that one invocation lists; a message for the next ones follows. */
  readonly pagesAtOnce: number;
};

const usual: Sizes = { partMembers: 100, pagesAtOnce: 10 };

/**
 * Lists the next pages of a group's members. Each page is listed only once and in order, because the end of the last page is written in
 * its transaction. An invocation can end between a page and its message. Then the list message comes again. The new invocation finds
 * pages that are already listed, and sends messages for those that are not finished.
 */
export async function listRecipients(
  broadcast: Broadcast,
  from: number,
  { tables, send, sizes = usual }: Listing,
): Promise<void> {
  const { groupId, broadcastId } = broadcast;
  const named = { groupId, broadcastId };
  let progress = await readProgress(tables.GroupMessageParts, broadcastId);
  if (progress && progress.listed > from) await sendAgain(named, from, { tables, send });
  for (let page = 0; page < sizes.pagesAtOnce && progress && !progress.isListed; page += 1) {
    const part = partNumbered(progress.listed);
    const isNew: boolean = await listPage(broadcast, progress, { tables, sizes });
    if (isNew) await send([{ do: 'post', ...named, part }]);
    progress = await readProgress(tables.GroupMessageParts, broadcastId);
  }
  if (progress && !progress.isListed) await send([{ do: 'list', ...named, from: progress.listed }]);
}

/** @returns whether there is a part to post */
async function listPage(
  broadcast: Broadcast,
  progress: Progress,
  { tables, sizes }: Pick<Listing, 'tables'> & { sizes: Sizes },
): Promise<boolean> {
  const { groupId, broadcastId } = broadcast;
  const { after, listed } = progress;
  return retryOnContention(async (attempt) => {
    if (attempt > 0) {
      const current = await readProgress(tables.GroupMessageParts, broadcastId);
      // Another invocation was first, or an earlier try of this one after all: there may be a part, and to post twice does no harm.
      if (current?.listed !== listed || current.isListed) return true;
    }
    const { members, next } = await readMembers(tables.GroupMembers, groupId, { limit: sizes.partMembers, after });
    const userIds = members.flatMap(({ userId, since }) => (isFor(broadcast, since) ? [userId] : []));
    const page = { userIds, after: next, isListed: next === null };
    const isDone = await commit(putListing(tables.GroupMessageParts, broadcast, progress, page));
    return isDone ? userIds.length > 0 : contended;
  });
}

async function sendAgain(named: Omit<Task, 'do'>, from: number, { tables, send }: Listing): Promise<void> {
  let after: string | null = null;
  do {
    const page: { parts: string[]; next: string | null } = await readPartsFrom(
      tables.GroupMessageParts,
      named.broadcastId,
      { from, after, limit: usual.partMembers },
    );
    const { groupId, broadcastId } = named;
    await send(page.parts.map((part) => ({ do: 'post', groupId, broadcastId, part })));
    after = page.next;
  } while (after !== null);
}
