import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { CommentRow, TicketRow, UnsolvedCount } from './rules/ticket.ts';
import type { OwnerRow, UrgentRow } from './rules/urgent-ticket.ts';

/**
 * Under `ticket#<id>` a ticket, its comments for staff (`all#…`) and those that the patient sees (`shown#…`); under `user#<id>` a
 * patient's tickets, and how many of them are unsolved. Under `state#…`, `priority#…`, `assignee#…` and `site#…` the lists
 * of staff; all except the first have only what is unsolved; under `due` what has a due time, by it; under `solved-until`
 * what is solved, by when it closes.
 */
export const SupportTickets = table<TicketRow | CommentRow | UnsolvedCount>()('SupportTickets', {
  partitionKey: 'part',
  sortKey: 'name',
  stream: true,
});
export type SupportTickets<A extends Action> = Handle<typeof SupportTickets, A>;

/**
 * The tickets of flags, apart from those that patients open: no function that is called by a patient can take one off a
 * list. `urgent#<id>` is a ticket; `user#<id>` lists a patient's; under `urgent-safety` and `urgent-site#<id>` are those that
 * nobody has acknowledged.
 */
export const UrgentTickets = table<UrgentRow | OwnerRow>()('UrgentTickets', {
  partitionKey: 'part',
  sortKey: 'name',
  stream: true,
});
export type UrgentTickets<A extends Action> = Handle<typeof UrgentTickets, A>;
