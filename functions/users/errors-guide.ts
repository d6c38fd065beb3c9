import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  UserNotFound: {
    when:
      'Of the caller: the account was erased; an access token of it still counts until its end. Of a user in the path: ' +
      'nothing is known of this id; for a message also: the deletion of the account was asked for.',
    client:
      'Of the caller: forget the tokens and what is stored of the user, and show the sign-in. Otherwise do not repeat it.',
  },
};
