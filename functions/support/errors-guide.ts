import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  TicketNotFound: {
    when: 'There is no ticket with this id, or it was deleted. For a patient, a ticket of another patient gives the same answer.',
    client: 'Read the list of tickets again.',
  },
  TicketClosed: {
    when: 'The ticket was closed, or was solved more than 14 days ago.',
    client: 'Open another ticket.',
  },
  TicketLimitReached: {
    when: 'The caller has 20 tickets that are neither solved nor closed, and cannot open another.',
    client: 'Show those tickets: a comment on one of them reaches the support.',
  },
  PatientAccountClosed: {
    when: 'The patient has requested the deletion of the account. No comment can be added to the ticket: nobody would read an answer.',
    client: 'Solve the ticket. If the account is restored, comments can be added again.',
  },
  TicketTransitionRefused: {
    when: 'A ticket in its present state cannot change to the requested state. A ticket cannot wait for the patient (`pending`) before the patient has an answer.',
    client: 'Read the ticket again: its state decides which states can follow.',
  },
};
