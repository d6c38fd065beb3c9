import * as z from 'zod/mini';
import { error } from './errors.ts';
import { issueCodes, issuePlaces } from './issues.ts';

/** The errors that routes of every domain can return. */

export const ValidationFailed = error({
  code: 'VALIDATION_FAILED',
  status: 400,
  message: 'The request does not fit the documented parameters or body.',
  detail: () =>
    z.object({
      issues: z.array(
        z.object({ in: z.enum(issuePlaces), path: z.string(), code: z.enum(issueCodes), message: z.string() }),
      ),
    }),
});

export const MalformedJson = error({
  code: 'MALFORMED_JSON',
  status: 400,
  message: 'The request body is not valid JSON.',
});

export const UnsupportedContentType = error({
  code: 'UNSUPPORTED_CONTENT_TYPE',
  status: 400,
  message: 'The request body must be sent as application/json in UTF-8.',
});

export const InvalidCursor = error({
  code: 'INVALID_CURSOR',
  status: 400,
  message: 'The cursor was not issued for this request.',
});

export const Unauthenticated = error({
  code: 'UNAUTHENTICATED',
  status: 401,
  message: 'Valid credentials are required.',
});

export const Forbidden = error({
  code: 'FORBIDDEN',
  status: 403,
  message: 'The caller lacks the permission for this route.',
});

export const AccountClosed = error({
  code: 'ACCOUNT_CLOSED',
  status: 403,
  message: "The deletion of the caller's account was requested.",
});

export const ConsentRequired = error({
  code: 'CONSENT_REQUIRED',
  status: 403,
  message: 'The patient does not consent to this.',
  detail: () => z.object({ agreementId: z.string() }),
});

export const SignInTooOld = error({
  code: 'SIGN_IN_TOO_OLD',
  status: 403,
  message: 'The sign-in was too long ago.',
});

export const RouteNotFound = error({
  code: 'ROUTE_NOT_FOUND',
  status: 404,
  message: 'There is no such path or method.',
});

export const Conflict = error({
  code: 'CONFLICT',
  status: 409,
  message: 'The id is already in use.',
});

export const PreconditionFailed = error({
  code: 'PRECONDITION_FAILED',
  status: 412,
  message: 'The resource is not in the state that the request requires.',
});

export const PreconditionRequired = error({
  code: 'PRECONDITION_REQUIRED',
  status: 428,
  message: 'The request must say which state of the resource it replaces.',
});

export const PayloadTooLarge = error({
  code: 'PAYLOAD_TOO_LARGE',
  status: 413,
  message: 'The request is larger than the service accepts.',
});

export const RateLimited = error({
  code: 'RATE_LIMITED',
  status: 429,
  message: 'Too many requests; try again later.',
  retryAfter: 60,
});

export const Internal = error({
  code: 'INTERNAL',
  status: 500,
  message: 'The service failed to answer.',
});

export const Unavailable = error({
  code: 'UNAVAILABLE',
  status: 503,
  message: 'The service is busy or one of its parts is down.',
  retryAfter: 5,
});

export const Timeout = error({
  code: 'TIMEOUT',
  status: 504,
  message: 'The service did not answer in time.',
});
