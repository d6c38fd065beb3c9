import { type Callers, type Holders, patients, type Roles } from '../callers.ts';

const support: Roles = { medinfo: ['agent', 'admin'] };
const safety: Roles = { medinfo: ['clinical-safety'] };
const physicians: Roles = { medinfo: ['physician'] };

export const callers: Callers = {
  'POST /support/tickets': patients,
  'GET /support/tickets': patients,
  'GET /support/tickets/{ticketId}': patients,
  'GET /support/tickets/{ticketId}/comments': patients,
  'POST /support/tickets/{ticketId}/comments': patients,
  'GET /crm/tickets': support,
  'GET /crm/tickets/{ticketId}': support,
  'GET /crm/tickets/{ticketId}/comments': support,
  'PATCH /crm/tickets/{ticketId}': support,
  'POST /crm/tickets/{ticketId}/comments': support,
  'POST /crm/tickets/{ticketId}/transition': support,
  'GET /crm/urgent-tickets': safety,
  'POST /crm/urgent-tickets/{ticketId}/acknowledge': safety,
  'GET /crm/site-urgent-tickets': physicians,
  'POST /crm/patients/{userId}/urgent-tickets/{ticketId}/acknowledge': physicians,
};

export const holders: Holders = {
  'support:read-own': patients,
  'support:write-own': patients,
  'support:write': support,
  'support:urgent': safety,
  'support:urgent-of-sites': physicians,
};
