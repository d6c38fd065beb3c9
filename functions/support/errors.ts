import { error } from '../../lib/contract/errors.ts';

export const TicketNotFound = error({
  code: 'TICKET_NOT_FOUND',
  status: 404,
  message: 'There is no such ticket.',
});

export const TicketClosed = error({
  code: 'TICKET_CLOSED',
  status: 409,
  message: 'The ticket is closed.',
});

export const TicketLimitReached = error({
  code: 'TICKET_LIMIT_REACHED',
  status: 409,
  message: 'The caller has the maximum number of unsolved tickets.',
});

export const TicketTransitionRefused = error({
  code: 'TICKET_TRANSITION_REFUSED',
  status: 409,
  message: 'The ticket cannot change from its state to this one.',
});

export const PatientAccountClosed = error({
  code: 'PATIENT_ACCOUNT_CLOSED',
  status: 409,
  message: "The deletion of the patient's account was requested.",
});
