import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  SiteNotFound: {
    when:
      'For a patient: the code is that of no open site, or not of the one in the path; the answer does not say which. For a ' +
      'physician: the caller does not work at this site. For an administrator: no site has this id.',
    client: 'Ask the patient to compare the code with what the site gave them. Otherwise read the list of sites again.',
  },
  SiteCodeLocked: {
    when: 'The caller typed ten wrong codes within an hour. A right one is not looked at until the first of them is an hour old.',
    client: 'Tell the patient to try later, with the code before their eyes. What they are with already stays.',
  },
  SiteLimitReached: {
    when: 'The caller is with 20 sites.',
    client: 'Offer to leave a site first.',
  },
  SiteInUse: {
    when: 'The site that is to be deleted is open, or patients or staff are with it.',
    client:
      'Close the site. It is deleted only after the last patient has left it and nobody works there; otherwise it stays closed.',
  },
  SiteClosed: {
    when: 'Somebody who does not work there yet is put to work at a closed site.',
    client: 'Open the site first.',
  },
};
