import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  ConsentNotFound: {
    when: 'The caller never consented to this agreement, so there is no receipt.',
    client: 'Offer the receipt only if the history has a record.',
  },
  ConsentRecordNotFound: {
    when: "The caller's history of this agreement has no record with this id. A record of another user gives the same answer.",
    client: 'Read the history, and send the `recordId` of one of its records.',
  },
};
