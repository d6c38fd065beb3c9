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
  TicketTransitionRefused: {
    when: 'The table of transitions has no way from the state of the ticket to the one that was asked for.',
    client: 'Read the ticket again: its state says where it can go.',
  },
};
