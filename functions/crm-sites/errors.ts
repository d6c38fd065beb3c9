import { error } from '../../lib/contract/errors.ts';

export const SiteNotFound = error({
  code: 'SITE_NOT_FOUND',
  status: 404,
  message: 'There is no such site.',
});

export const SiteCodeLocked = error({
  code: 'SITE_CODE_LOCKED',
  status: 429,
  message: 'Too many wrong codes of sites.',
  retryAfter: 3600,
});

export const SiteLimitReached = error({
  code: 'SITE_LIMIT_REACHED',
  status: 409,
  message: 'The caller has joined the maximum number of sites.',
});

export const SiteInUse = error({
  code: 'SITE_IN_USE',
  status: 409,
  message: 'The site is open, or still has patients or staff.',
});

export const SiteClosed = error({
  code: 'SITE_CLOSED',
  status: 409,
  message: 'The site is closed.',
});
