export { eraseTickets, eraseUrgentTickets } from './stores/erase-tickets.ts';
export { readAllTickets, readAllUrgentTickets } from './stores/exported-tickets.ts';
export { readNewestTickets } from './stores/ticket-rows.ts';
