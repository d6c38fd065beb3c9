import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  SiteNotFound: {
    when:
      'For a patient: the code is not the code of an open site, or not of the site in the path; the answer does not say which. For a ' +
      'physician: the caller does not work at this site. For an administrator: no site has this id.',
    client: 'Ask the patient to compare the code with what the site gave them. Otherwise read the list of sites again.',
  },
  SiteCodeLocked: {
    when:
      'The caller typed ten wrong codes within an hour. Until the first of these attempts is an hour old, even a ' +
      'correct code is not accepted.',
    client: 'Tell the patient to try later, and to compare the code. The sites that they have already joined stay.',
  },
  SiteLimitReached: {
    when: 'The caller has already joined 20 sites.',
    client: 'Offer to leave a site first.',
  },
  SiteInUse: {
    when: 'The site cannot be deleted, because it is open, or because it still has patients or staff.',
    client:
      'Close the site. It is deleted only after the last patient has left it and nobody works there; otherwise it stays closed.',
  },
  SiteClosed: {
    when: 'The request adds a person to a closed site.',
    client: 'Open the site first.',
  },
};
