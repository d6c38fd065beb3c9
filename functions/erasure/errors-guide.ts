import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  GraceEnded: {
    when: 'The grace period after the request is over (`restorableUntil`). The account is about to be erased.',
    client: 'Show the state that `GET /users/me/erasure` answers, and end the session.',
  },
  TooManyErasureRequests: {
    when: 'The user requested the deletion and cancelled it twenty times within a day.',
    client: 'Show that the account stays open for now, and let the user ask again after `Retry-After`.',
  },
  ConsentsReleased: {
    when: 'The retention of an erased user has ended: the consent records are marked for deletion, and their tombstone is signed.',
    client: 'Show the state that `GET /users/{userId}/erasure` answers; a hold is no longer possible.',
  },
};
