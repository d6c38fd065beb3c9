import type * as errors from './common-errors.ts';
import type { GuideTo } from './errors.ts';
import type { IssueCode } from './issues.ts';

const issueMeanings: Record<IssueCode, string> = {
  required: 'it is missing',
  invalid_type: 'it is of another JSON type, or a whole number is due',
  invalid_format: 'its text is not of the documented form, or has characters that are not taken',
  invalid_value: 'it is of the right form, and not among the values that are possible here',
  too_short: 'its text, list or map has too little in it',
  too_long: 'its text, list or map has too much in it',
  too_small: 'the number is too low, or the time too early',
  too_big: 'the number is too high, or the time too late',
  repeated: 'it is given more than once',
  inconsistent: 'it is fine by itself, and contradicts another field',
};

export const guide: GuideTo<typeof errors> = {
  ValidationFailed: {
    when: 'A declared parameter, header or body field is missing, malformed, out of range or given twice.',
    client:
      'Correct what `detail.issues` names; the same request fails again. `in` and `path` say where, and `message` is for ' +
      `a developer. The \`code\` of an issue is stable, and one of these (more may come): ${Object.entries(
        issueMeanings,
      )
        .map(([code, meaning]) => `\`${code}\` (${meaning})`)
        .join(', ')}. What the gateway refuses by itself has no issues.`,
    example: {
      issues: [{ in: 'query', path: 'limit', code: 'too_big', message: 'Too big: expected number to be <=100' }],
    },
  },
  MalformedJson: { when: 'The body is not JSON.', client: 'Send valid JSON; the same request fails again.' },
  UnsupportedContentType: {
    when: 'A body came with a `Content-Type` other than `application/json`, or in a charset other than UTF-8.',
    client: 'Send `Content-Type: application/json`.',
  },
  InvalidCursor: {
    when: 'The `cursor` was altered, or issued for another caller, route or parameters.',
    client: 'Read the collection again from its first page.',
  },
  Unauthenticated: {
    when:
      'There is no bearer token, there are two `Authorization` headers, or the token fails any check: signature, issuer, ' +
      'client, kind or time.',
    client: 'Renew the access token once and repeat; if that fails, sign the user in again.',
  },
  Forbidden: {
    when: 'The caller is authenticated, but none of its roles holds the permission of the route.',
    client: 'Do not repeat; hide the function from this user.',
  },
  AccountClosed: {
    when:
      'The user asked for the deletion of the account, and has not taken it back. Nothing was changed. `GET` and ' +
      '`DELETE /users/me`, `/users/me/erasure`, `/users/me/restore`, `/users/me/exports`, `/iam` and what tells of past consents go on to answer.',
    client:
      'Show when the account goes (`GET /users/me/erasure`) and offer to keep it (`POST /users/me/restore`); do not repeat.',
  },
  ConsentRequired: {
    when:
      'The patient has not agreed to the agreement that `detail` names, has revoked it, or asked for the deletion of the ' +
      'account and took that back since. Nothing of the patient was shown.',
    client: 'Ask the patient to agree to it in the app; do not repeat before.',
    example: { agreementId: 'data-sharing' },
  },
  SignInTooOld: {
    when:
      'The route asks for a sign-in of the last minutes, as its description says, and the password was given longer ago. ' +
      'A renewed access token keeps the time of its sign-in. Nothing was changed.',
    client: 'Ask for the password, sign the user in anew (`POST /auth/tokens`) and repeat with the new access token.',
  },
  RouteNotFound: {
    when: 'No route has this method and path under the base address, in this environment. A slash at the end makes another path.',
    client: 'Check the base address and the path; do not repeat.',
  },
  Conflict: {
    when: 'Something has this id already, in whichever application. Nothing was changed.',
    client: 'Look whether it is what was meant (a repeated request); otherwise choose another id.',
  },
  PreconditionFailed: {
    when: '`If-Match` does not name the current `ETag`, or `If-None-Match: *` met something. Nothing was changed.',
    client: 'Read the resource again, look at what changed, and repeat with its `ETag`.',
  },
  PreconditionRequired: {
    when: 'A conditional write came without `If-Match`, or without `If-None-Match: *` for a first one.',
    client: 'Send the `ETag` of the state that was read; this keeps two writers from undoing each other.',
  },
  PayloadTooLarge: { when: 'The body is larger than 1 MB.', client: 'Send less; the same request fails again.' },
  RateLimited: {
    when: 'More than 100 requests came from the IP address within a minute, or a tool exceeded its usage plan.',
    client: 'Wait for the seconds in `Retry-After`, with some jitter, then repeat.',
  },
  Internal: { when: 'A defect of the service.', client: 'Repeat once at most; report it with the `X-Request-Id`.' },
  Unavailable: {
    when: 'A part of the service throttles or is down, or too many requests contend for the same record.',
    client: 'Wait for the seconds in `Retry-After`, with some jitter, then repeat.',
  },
  Timeout: {
    when: 'The answer took too long. Whether a write took effect is unknown.',
    client:
      'Repeat after a while, with back-off; reads and the consent routes are safe to repeat, and what creates something with its `Idempotency-Key`.',
  },
};
