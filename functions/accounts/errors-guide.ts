import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  CodeInvalid: {
    when:
      'The code is not the one in the latest mail to this address, is older than 15 minutes, was used before, or ' +
      'was tried five times. The answer is the same for an address that got no mail.',
    client: 'Let the user correct the code; after five tries offer to send a new one.',
  },
  PasswordRejected: {
    when:
      'The user pool does not accept this password. A password has at least 12 characters, and neither begins nor ' +
      'ends with a space.',
    client: 'Ask for another password; the same code works again.',
  },
  PasswordWrong: {
    when: "`currentPassword` is not the caller's password.",
    client: 'Ask for it again. After ten wrong passwords in 15 minutes the answer is `SIGN_IN_LOCKED`.',
  },
  AgeRequired: {
    when: 'The year of birth shows that the person may be younger than `detail.minimumAge`. Nothing was stored.',
    client: 'Say that the application is for people of that age.',
    example: { minimumAge: 18 },
  },
  SecondFactorInvalid: {
    when: "The code is not the authenticator app's at this time, or `POST /users/me/second-factor` did not come first.",
    client: 'Ask for the next code. If that fails too, begin the set-up again.',
  },
};
