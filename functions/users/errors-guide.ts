import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  UserNotFound: {
    when: 'About the caller: the account was erased, and its access token has not expired yet. About a user in the path: there is no user with this id. When a message is posted, it can also mean that the user requested the deletion of the account.',
    client:
      'About the caller: delete the tokens and the user’s data on the phone, and show the sign-in. Otherwise do not repeat the request.',
  },
};
