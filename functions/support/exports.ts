export { eraseTickets } from './stores/erase-tickets.ts';
export { readAllTickets } from './stores/exported-tickets.ts';
export { readNewestTickets } from './stores/ticket-rows.ts';
