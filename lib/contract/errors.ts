/** The error catalogue (contract section 2): `code` → HTTP status and the sentence that a developer reads. */

type Entry = {
  readonly status: 400 | 401 | 403 | 404 | 409 | 412 | 413 | 428 | 429 | 500 | 503 | 504;
  readonly message: string;
  /** Seconds in the `Retry-After` header. */
  readonly retryAfter?: number;
};

export const errors = {
  VALIDATION_FAILED: { status: 400, message: 'The request does not fit the documented parameters or body.' },
  MALFORMED_JSON: { status: 400, message: 'The request body is not valid JSON.' },
  UNSUPPORTED_CONTENT_TYPE: { status: 400, message: 'The request body must be sent as application/json in UTF-8.' },
  INVALID_CURSOR: { status: 400, message: 'The cursor was not issued for this request.' },
  AGREEMENT_REQUIRED: { status: 400, message: 'The consent to a required agreement cannot be revoked.' },
  UNAUTHENTICATED: { status: 401, message: 'Valid credentials are required.' },
  TOTP_REQUIRED: { status: 401, message: 'The sign-in goes on with a code of the authenticator app.' },
  TOTP_SETUP_REQUIRED: { status: 401, message: 'The sign-in goes on with the set-up of an authenticator app.' },
  TOTP_INVALID: {
    status: 401,
    message: 'The code is not the one that the authenticator app shows, or was used before.',
  },
  CHALLENGE_REQUIRED: { status: 401, message: 'The account is in a state in which it cannot sign in here.' },
  FORBIDDEN: { status: 403, message: 'The caller lacks the permission for this route.' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is no such path or method.' },
  AGREEMENT_NOT_FOUND: { status: 404, message: 'There is no such agreement.' },
  AGREEMENT_VERSION_NOT_FOUND: { status: 404, message: 'There is no such agreement version.' },
  AGREEMENT_VERSION_NOT_ACTIVE: { status: 409, message: 'The version is not the active version of its agreement.' },
  AGREEMENT_VERSION_PUBLISHED: { status: 409, message: 'A published version cannot be changed.' },
  AGREEMENT_VERSION_NOT_PUBLISHED: { status: 409, message: 'The version is not published.' },
  AGREEMENT_LIMIT_REACHED: { status: 409, message: 'The application has as many agreements as it can have.' },
  AGREEMENT_CONTENT_INCOMPLETE: { status: 409, message: 'The texts of the version are not those that it declares.' },
  AGREEMENT_CONTENT_NOT_FOUND: { status: 404, message: 'The version has no published text in this locale.' },
  CONFLICT: { status: 409, message: 'The id is taken.' },
  CONSENT_NOT_FOUND: { status: 404, message: 'The caller has no record of a consent to this agreement.' },
  APP_VERSION_POLICY_NOT_FOUND: { status: 404, message: 'There is no such app-version policy.' },
  PRECONDITION_FAILED: { status: 412, message: 'The resource is not in the state that the request is conditional on.' },
  PRECONDITION_REQUIRED: { status: 428, message: 'The request must say which state of the resource it replaces.' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'The caller has no such message.' },
  CONSENTS_RELEASED: { status: 409, message: 'The records of this user are released already; a hold comes too late.' },
  USER_NOT_FOUND: { status: 404, message: 'There is no such user.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is larger than the service accepts.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again later.', retryAfter: 60 },
  INTERNAL: { status: 500, message: 'The service failed to answer.' },
  UNAVAILABLE: { status: 503, message: 'The service is busy or one of its parts is down.', retryAfter: 5 },
  TIMEOUT: { status: 504, message: 'The service did not answer in time.' },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as ErrorCode[];

export type Issue = { in: 'path' | 'query' | 'body' | 'header'; path: string; message: string };

/** The shape of `detail`, for the codes that have one; `null` for every other. */
export type Details = {
  VALIDATION_FAILED: { issues: Issue[] };
  TOTP_REQUIRED: { session: string };
  TOTP_SETUP_REQUIRED: { session: string; secret: string };
  CHALLENGE_REQUIRED: { challenge: string };
  AGREEMENT_VERSION_NOT_ACTIVE: { agreementId: string; activeVersionId: string | null };
  AGREEMENT_CONTENT_INCOMPLETE: { locales: { locale: string; problem: 'missing' | 'mismatch' | 'tooLarge' }[] };
};
export type DetailOf<C extends ErrorCode> = C extends keyof Details ? Details[C] : null;

export type ErrorBody = { code: ErrorCode; message: string; detail: unknown };

/** The whole body of an error answer, wherever it is made: in a handler, in the gateway or in the firewall. */
export function errorBody<C extends ErrorCode>(code: C, detail: DetailOf<C> | null = null): ErrorBody {
  return { code, message: errors[code].message, detail };
}

/** The extra headers of an error answer. */
export function errorHeaders(code: ErrorCode): Record<string, string> {
  const { retryAfter }: Entry = errors[code];
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
}
