import { commit, type Items } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { remove } from '../../../lib/runtime/rows.ts';
import type { Key, TicketRow } from '../rules/ticket.ts';
import type { OwnerRow } from '../rules/urgent-ticket.ts';
import type { SupportTickets, UrgentTickets } from '../tables.ts';
import { countName, listKeys, readTicket, stillIs, ticketPart, userPart } from './ticket-rows.ts';
import { eraseUrgentItems, readUrgentTicket, ticketIdOf } from './urgent-rows.ts';

/** A patient's tickets: what they asked, what was answered, what staff noted. What leads to a ticket goes last, so that it can be repeated. */
export const eraseTickets: Eraser<{
  readonly SupportTickets: SupportTickets<'get' | 'query' | 'remove'>;
}> = async ({ tables }, { userId }) => {
  const table = tables.SupportTickets;
  for await (const { ticketId, part, name } of queryEach<TicketRow>(table, inPartition({ part: userPart(userId) }))) {
    // The count has no ticket.
    if (name !== countName) await eraseTicket(table, { userId, ticketId });
    await erase([remove(table, { part, name })]);
  }
};

/** The tickets of a patient's flags. */
export const eraseUrgentTickets: Eraser<{
  readonly UrgentTickets: UrgentTickets<'get' | 'query' | 'remove'>;
}> = async ({ tables }, { userId }) => {
  const table = tables.UrgentTickets;
  for await (const { part, name } of queryEach<OwnerRow>(table, inPartition({ part: userPart(userId) }))) {
    await eraseUrgent(table, { userId, ticketId: ticketIdOf(name) });
    await erase([remove(table, { part, name })]);
  }
};

type Named = { readonly userId: string; readonly ticketId: string };

/** The ticket first: a comment is written on the condition that it is there. */
async function eraseTicket(
  table: SupportTickets<'get' | 'query' | 'remove'>,
  { userId, ticketId }: Named,
): Promise<void> {
  const isTheirs = await retryOnContention(async () => {
    const ticket = await readTicket(table, ticketId);
    if (!ticket) return true;
    // A row under a user may name a ticket of another one.
    if (ticket.userId !== userId) return false;
    const own = userPart(ticket.userId);
    const lists = listKeys(ticket).filter(({ part }) => part !== own);
    const isErased = await commit([
      remove(table, { part: ticketPart(ticketId), name: 'ticket' }, stillIs(ticket)),
      ...lists.map((key) => remove(table, key)),
    ]);
    return isErased || contended;
  });
  if (!isTheirs) return;
  const keys: Key[] = [];
  for await (const { part, name } of queryEach(table, inPartition({ part: ticketPart(ticketId) }))) {
    keys.push({ part, name });
  }
  for (let from = 0; from < keys.length; from += 100) {
    await erase(keys.slice(from, from + 100).map((key) => remove(table, key)));
  }
}

async function eraseUrgent(table: UrgentTickets<'get' | 'remove'>, { userId, ticketId }: Named): Promise<void> {
  await retryOnContention(async () => {
    const ticket = await readUrgentTicket(table, ticketId);
    if (ticket?.userId !== userId) return true;
    // Its row may name another one.
    return (await commit(eraseUrgentItems(table, { ...ticket, ticketId }))) || contended;
  });
}

async function erase(items: Items): Promise<void> {
  await retryOnContention(async () => ((await commit(items)) ? null : contended));
}
