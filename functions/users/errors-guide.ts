import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  BirthYearStated: {
    when: 'The caller has stated another year of birth before, at the sign-up or in the profile.',
    client: 'Show the stated year. Only the support can correct it.',
  },
  UserNotFound: {
    when: 'About the caller: the account was erased, and its access token has not expired yet. About a user in the path: there is no user with this id. When a message is posted, it can also mean that the user requested the deletion of the account.',
    client:
      'About the caller: delete the tokens and the user’s data on the phone, and show the sign-in. Otherwise do not repeat the request.',
  },
};
