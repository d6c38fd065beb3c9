import type { ExportReader } from '../../../lib/runtime/exporter.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { TicketRow } from '../rules/ticket.ts';
import type { OwnerRow, UrgentTicket } from '../rules/urgent-ticket.ts';
import type { SupportTickets, UrgentTickets } from '../tables.ts';
import { countName, type Read, readComments, readPage, readTicket, userPart } from './ticket-rows.ts';
import { readUrgentTicket } from './urgent-rows.ts';

const pageComments = 100;

/**
 * A person's tickets as the person sees them, each followed by its comments. Internal notes are read by nothing here; who wrote or
 * is assigned is somebody else's.
 */
export const readAllTickets: ExportReader<{
  readonly SupportTickets: SupportTickets<'get' | 'query'>;
}> = async ({ tables }, { userId }, position) => {
  const table = tables.SupportTickets;
  const { name = '', ticketId = '', comment = '' } = (position ?? {}) as Partial<CursorPosition>;
  const part = userPart(userId);
  if (ticketId !== '') {
    // Whoever can write an export's row could name anybody's ticket.
    if ((await readTicket(table, ticketId))?.userId !== userId) throw new Error('the position is of another person');
    return commentsOf(table, { name, ticketId, comment });
  }
  const query = { ...inPartition({ part }), ...(name !== '' && { ExclusiveStartKey: { part, name } }) };
  const [row] = (await queryPage<TicketRow>(table, query, 1)).rows;
  if (!row) return { rows: [], next: null };
  const behind: CursorPosition = { name: row.name, ticketId: '', comment: '' };
  // How many are unsolved: the tickets say so themselves.
  if (row.name === countName) return { rows: [], next: behind };
  const ticket = await readTicket(table, row.ticketId);
  // A row under a user may name a ticket of another one.
  if (ticket?.userId !== userId) return { rows: [], next: behind };
  const { subject, state, createdAt, shownAt: updatedAt, solvedAt } = ticket;
  const shown = { ticketId: row.ticketId, subject, state, createdAt, updatedAt, solvedAt };
  return { rows: [shown], next: { ...behind, ticketId: row.ticketId } };
};

/** Behind a row of the person's; with `ticketId`, behind a comment of that row's ticket, or before its first. Empty: from the start. */
type CursorPosition = { name: string; ticketId: string; comment: string };

async function commentsOf(table: SupportTickets<'query'>, { name, ticketId, comment }: CursorPosition) {
  const page = { limit: pageComments, after: comment === '' ? null : comment };
  const { found, next } = await readComments(table, { ticketId, of: 'shown' }, page);
  const rows = found.map(({ commentId, by, body, createdAt }) => ({ ticketId, commentId, by, body, createdAt }));
  const deps: CursorPosition = next === null ? { name, ticketId: '', comment: '' } : { name, ticketId, comment: next };
  return { rows, next: deps };
}

/** That a flag was seen to; who acknowledged it is somebody else's. */
export const readAllUrgentTickets: ExportReader<{
  readonly UrgentTickets: UrgentTickets<'get' | 'query'>;
}> = async ({ tables }, { userId }, position) => {
  const page = { limit: pageComments, after: position === null ? null : String(position.name) };
  const read: Read<OwnerRow> = (asked, limit) => queryPage<OwnerRow>(tables.UrgentTickets, asked, limit);
  const { found, next } = await readPage(read, { part: userPart(userId), ...page });
  const tickets = await Promise.all(found.map(({ ticketId }) => readUrgentTicket(tables.UrgentTickets, ticketId)));
  // A row under a user may name a ticket of another one.
  const rows = tickets.flatMap((ticket) => (ticket?.userId === userId ? [withoutStaff(ticket)] : []));
  return { rows, next: next === null ? null : { name: next } };
};

function withoutStaff({ acknowledgedBy: _by, dueAt: _due, userId: _user, ...urgent }: UrgentTicket) {
  return urgent;
}
