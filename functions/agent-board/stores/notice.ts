import { randomUUID } from 'node:crypto';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Draft, post } from '../rules/board.ts';
import type { AgentBoardMessages } from '../tables.ts';
import { changeItems, commitMessage, type Item } from './board-changes.ts';
import { readBoard } from './messages.ts';

/** Messages of the service's own, for other domains. */

type Notice = Draft & {
  readonly now: Date;
  /** What says that it was posted, written with it on the condition that it is not there. */
  readonly once: readonly Item[];
  readonly isPosted: () => Promise<boolean>;
};

/**
 * Posts a message once, whatever crashes and however often it is called.
 *
 * @returns false where another call was first
 */
export async function postNotice(
  table: AgentBoardMessages<'get' | 'put'>,
  { now, once, isPosted, ...draft }: Notice,
): Promise<boolean> {
  const uuid = randomUUID();
  return retryOnContention(async () => {
    if (await isPosted()) return false;
    const board = await readBoard(table, draft);
    const change = post(board, draft, now, uuid);
    return (await commitMessage(table, change, randomUUID(), [...once])) ? true : contended;
  });
}

/**
 * The items of a message for a transaction of another domain. Their condition is that the board is unchanged since it was read here.
 * If another writer was first, the caller asks again.
 *
 * @param uuid a random one, the same for all tries
 */
export async function noticeItems(
  table: AgentBoardMessages<'get' | 'put'>,
  draft: Draft,
  { now, uuid }: { readonly now: Date; readonly uuid: string },
): Promise<Item[]> {
  return changeItems(table, post(await readBoard(table, draft), draft, now, uuid));
}
