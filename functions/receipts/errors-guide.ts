import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  ConsentNotFound: {
    when: 'The caller never consented to this agreement, so that there is nothing to give a receipt of.',
    client: 'Offer the receipt where the history has a record.',
  },
  ConsentRecordNotFound: {
    when: "The caller's history of this agreement has no record with this id. Another user's record counts as none.",
    client: 'Read the history, and ask by the `recordId` of one of its records.',
  },
};
