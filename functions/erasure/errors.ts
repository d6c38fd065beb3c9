import { error } from '../../lib/contract/errors.ts';

export const GraceEnded = error({
  code: 'GRACE_ENDED',
  status: 409,
  message: 'The request to delete the account can no longer be cancelled.',
});

export const TooManyErasureRequests = error({
  code: 'TOO_MANY_ERASURE_REQUESTS',
  status: 429,
  message: 'The deletion of the account was requested too often today.',
  retryAfter: 3600,
});

export const ConsentsReleased = error({
  code: 'CONSENTS_RELEASED',
  status: 409,
  message: 'The records of this user are already released; a hold is no longer possible.',
});
