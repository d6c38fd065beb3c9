import { randomUUID } from 'node:crypto';
import { stateAt, type Ticket } from '../rules/ticket.ts';
import { readLapsed } from '../stores/ticket-rows.ts';
import type { SupportTickets } from '../tables.ts';
import { changeUncounted } from './replace-ticket.ts';

/** So many in a run; the next one goes on. */
const mostAtOnce = 100;

/** Writes down that tickets are closed which were solved 14 days ago, so that the lists say so, too. @returns how many */
export async function closeLapsed(
  table: SupportTickets<'get' | 'query' | 'put' | 'remove'>,
  now: Date,
): Promise<number> {
  const lapsed = await readLapsed(table, now, mostAtOnce);
  for (const { ticketId } of lapsed) {
    const changeId = randomUUID();
    const decide = async (before: Ticket) => {
      if (before.state !== 'solved' || stateAt(before, now) !== 'closed') return null;
      const at = now.toISOString();
      const after = { ...before, state: 'closed', updatedAt: at, shownAt: at } as const;
      return { after: { ...after, revision: before.revision + 1, changeId }, also: [] };
    };
    await changeUncounted({ table, ticketId, changeId, decide });
  }
  return lapsed.length;
}
