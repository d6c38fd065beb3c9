import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';
import { Timestamp } from '../../lib/contract/fields.ts';

export const AccessCodeMistyped = error({
  code: 'ACCESS_CODE_MISTYPED',
  status: 400,
  message: 'This is not an access code: a character is wrong or missing, or there are too many.',
});

export const AccessCodeNotFound = error({
  code: 'ACCESS_CODE_NOT_FOUND',
  status: 404,
  message: 'There is no such access code.',
});

export const AccessCodeBatchNotFound = error({
  code: 'ACCESS_CODE_BATCH_NOT_FOUND',
  status: 404,
  message: 'There is no such batch of access codes.',
});

export const AccessCodeRedeemed = error({
  code: 'ACCESS_CODE_REDEEMED',
  status: 409,
  message: 'The access code was already redeemed.',
});

export const AccessCodeExpired = error({
  code: 'ACCESS_CODE_EXPIRED',
  status: 409,
  message: 'The access code has expired.',
});

export const AccessCodeRevoked = error({
  code: 'ACCESS_CODE_REVOKED',
  status: 409,
  message: 'The access code was revoked.',
});

export const AccessCodeBatchRevoked = error({
  code: 'ACCESS_CODE_BATCH_REVOKED',
  status: 409,
  message: 'The batch was revoked before all of its codes were issued.',
});

export const AccessCodeSiteUnavailable = error({
  code: 'ACCESS_CODE_SITE_UNAVAILABLE',
  status: 409,
  message: "The caller cannot join the code's site.",
});

export const AccessCodeLocked = error({
  code: 'ACCESS_CODE_LOCKED',
  status: 429,
  message: 'Within an hour the caller tried ten codes that do not exist.',
  retryAfter: 3600,
  detail: () => z.object({ lockedUntil: Timestamp }),
});
