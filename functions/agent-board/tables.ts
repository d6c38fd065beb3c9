import { table } from '../../lib/contract/tables.ts';

/**
 * The agent board. A user's messages by `messageId`, which increases with time; after them, under `~board`, how many are
 * unread. A message's row carries the event that it is the outcome of: what a push needs.
 */
export const AgentBoardMessages = table('AgentBoardMessages', {
  partitionKey: 'userId',
  sortKey: 'messageId',
  stream: true,
});
