import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  ExportNotFound: {
    when: 'The caller has no export with this id, or it is older than seven days. An export of another user gives the same answer.',
    client: 'Read the list of exports again, and offer to request a new one.',
  },
  TooManyExports: {
    when: 'The user requested five exports in the last 24 hours. Failed exports count, too.',
    client: 'Offer the latest finished export; a new one is possible from `detail.possibleAt` on.',
    example: { possibleAt: '2026-11-23T07:13:50.626Z' },
  },
};
