import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  TicketNotFound: {
    when: "There is no ticket with this id, or no longer. For a patient another patient's ticket counts as none.",
    client: 'Read the list of tickets again.',
  },
  TicketClosed: {
    when: 'The ticket was closed, or was solved more than 14 days ago.',
    client: 'Open another ticket.',
  },
  TicketLimitReached: {
    when: 'The caller has 20 tickets that are neither solved nor closed, and asked for another.',
    client: 'Show those tickets: a comment on one of them reaches the support.',
  },
  TicketTransitionRefused: {
    when: 'The table of transitions has no way from the state of the ticket to the one that was asked for; or it is `pending`, and there is no answer yet to what the patient wrote.',
    client: 'Read the ticket again: its state says where it can go. Answer the patient before it waits for them.',
  },
};
