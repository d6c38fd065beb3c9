import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  CodeInvalid: {
    when:
      'The code is not the one in the latest mail to this address, is older than 10 minutes, was used before, or ' +
      'was tried five times. The answer is the same for an address that got no mail.',
    client: 'Let the user correct the code; after five tries offer to send a new one.',
  },
  LinkInvalid: {
    when:
      '`token` is not what a link of our mails has after the `#`, or the link is older than 24 hours (7 days for the mail to a former ' +
      'address), or the account was erased.',
    client: 'Say that the link does nothing any more, and point to "Forgot password" and to support.',
  },
  PasswordRejected: {
    when:
      'Nobody may choose this password. `detail.reason` says why. `pattern`: it repeats a part or follows rows of the keyboard, the ' +
      'alphabet or the digits. `own-data`: it consists of words of the own address or name. `product-word`: it consists of words of the ' +
      'product. `breached`: it was in a breach of some other service. `policy`: the user pool refuses it, or it is the temporary one.',
    client: 'Say the reason, and ask for another password; the same code works again.',
    example: { reason: 'breached' },
  },
  PasswordWrong: {
    when: "`currentPassword`, or `password` in a request about the second factor, is not the caller's password.",
    client: 'Ask for it again. After ten wrong passwords in 15 minutes the answer is `SIGN_IN_LOCKED`.',
  },
  PresentCodeRequired: {
    when: 'The password is right, the account has an authenticator app, and the request has no `presentCode`.',
    client: 'Ask for the code of the app, and send the same request with it as `presentCode`.',
  },
  PresentCodeInvalid: {
    when:
      "`presentCode` is not the code of the account's authenticator app at this time, or it was used before, " +
      'for example for the sign-in a moment ago.',
    client: 'Ask for the next code. After ten wrong ones in 15 minutes the answer is `SIGN_IN_LOCKED`.',
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
