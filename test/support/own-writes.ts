import type { OwnWrites } from '../own-writes.ts';

const request = { subject: 'S', body: 'B' };

export const ownWrites: OwnWrites = {
  openTicket: async ({ call }) => {
    return () => call('POST', '/support/tickets', request);
  },
  addOwnTicketComment: async ({ call }) => {
    const { body } = await call('POST', '/support/tickets', request);
    return () => call('POST', `/support/tickets/${body.ticketId}/comments`, { body: 'C' });
  },
};
