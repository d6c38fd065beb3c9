import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const CodeInvalid = error({
  code: 'CODE_INVALID',
  status: 400,
  message: 'The code is wrong or expired, or was tried too often.',
});

export const LinkInvalid = error({
  code: 'LINK_INVALID',
  status: 400,
  message: 'The link is wrong or expired, or its account is there no more.',
});

export const PasswordRejected = error({
  code: 'PASSWORD_REJECTED',
  status: 400,
  message: 'The password does not meet the rules for passwords.',
  detail: () => z.object({ reason: z.enum(['policy', 'pattern', 'own-data', 'product-word', 'breached']) }),
});

export const PasswordWrong = error({
  code: 'PASSWORD_WRONG',
  status: 400,
  message: 'The current password is wrong.',
});

export const PresentCodeRequired = error({
  code: 'PRESENT_CODE_REQUIRED',
  status: 400,
  message: 'The account has an authenticator app: the request needs its present code, too.',
});

export const PresentCodeInvalid = error({
  code: 'PRESENT_CODE_INVALID',
  status: 400,
  message: "The present code of the account's authenticator app is wrong, or was used before.",
});

export const AgeRequired = error({
  code: 'AGE_REQUIRED',
  status: 403,
  message: 'The application is for people of a minimum age.',
  detail: () => z.object({ minimumAge: z.int() }),
});

export const SecondFactorInvalid = error({
  code: 'SECOND_FACTOR_INVALID',
  status: 400,
  message: 'The code is not the present code of the authenticator app, or no set-up was begun.',
});
