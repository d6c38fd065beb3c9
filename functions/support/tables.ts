import { table } from '../../lib/contract/tables.ts';

/**
 * Under `ticket#<id>` a ticket, its comments for staff (`all#…`) and those that the patient sees (`shown#…`); under `user#<id>` a
 * patient's tickets, and how many of them are unsolved. Under `state#…`, `priority#…`, `assignee#…` and `site#…` the lists
 * of staff; all except the first have only what is unsolved; under `due` what has a due time, by it; under `solved-until`
 * what is solved, by when it closes. Under `urgent#<id>` the ticket of a flag; under `urgent-safety` and `urgent-site#<id>`
 * those that nobody has acknowledged.
 */
export const SupportTickets = table('SupportTickets', { partitionKey: 'part', sortKey: 'name', stream: true });
