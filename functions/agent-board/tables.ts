import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { AgentBoardRow } from './rules/board.ts';

/**
 * The agent board. A user's messages by `messageId`, which increases with time; after them, under `~board`, how many are
 * unread; before them, under `!read.<messageId>`, up to where all were read at once. The row of a message or of such a mark
 * carries the event that it is the outcome of, and the board's row that of a message which was deleted: what a push needs.
 */
export const AgentBoardMessages = table<AgentBoardRow>()('AgentBoardMessages', {
  partitionKey: 'userId',
  sortKey: 'messageId',
  stream: true,
});
export type AgentBoardMessages<A extends Action> = Handle<typeof AgentBoardMessages, A>;
