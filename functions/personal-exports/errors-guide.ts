import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  ExportNotFound: {
    when: "The caller has no export with this id, or it is older than seven days. Another person's export counts as none.",
    client: 'Read the list of exports again, and offer to ask for a new one.',
  },
  TooManyExports: {
    when: 'Five exports were asked for in the last 24 hours, those that failed included.',
    client: 'Offer the latest export that is done; a new one is possible from `detail.possibleAt` on.',
    example: { possibleAt: '2026-11-23T07:13:50.626Z' },
  },
};
