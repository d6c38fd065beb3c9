import type * as errors from './common-errors.ts';
import type { GuideTo } from './errors.ts';
import type { IssueCode } from './issues.ts';

const issueMeanings: Record<IssueCode, string> = {
  required: 'it is missing',
  invalid_type: 'it has another JSON type, or must be a whole number',
  invalid_format: 'its text does not have the documented form, or has characters that are not allowed',
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
    when: 'The `cursor` was changed, or was issued for another caller, another route or another path.',
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
      'The user requested the deletion of the account, and has not cancelled it. Nothing was changed. `GET` and ' +
      '`DELETE /users/me`, `/users/me/erasure`, `/users/me/restore`, `/users/me/exports`, `/iam` and routes about past consents still answer.',
    client:
      'Show when the account will be deleted (`GET /users/me/erasure`) and offer to keep it (`POST /users/me/restore`); do not repeat the request.',
  },
  ConsentRequired: {
    when: 'The patient has not agreed to the agreement that `detail` names, has revoked it, or requested the deletion of the account and cancelled that later. No data of the patient was shown.',
    client: 'Ask the patient to agree to it in the app; repeat the request only after that.',
    example: { agreementId: 'data-sharing' },
  },
  SignInTooOld: {
    when:
      'The route needs a recent sign-in, as its description says, and the password was entered longer ago. ' +
      'A renewed access token keeps the time of its sign-in. Nothing was changed.',
    client: 'Ask for the password, sign the user in again (`POST /auth/tokens`) and repeat with the new access token.',
  },
  RouteNotFound: {
    when: 'No route has this method and path under the base address, in this environment. A path with a slash at the end is another path.',
    client: 'Check the base address and the path; do not repeat.',
  },
  Conflict: {
    when: 'The id is already in use, in this or the other application. Nothing was changed.',
    client: 'Check whether this was a repeated request; otherwise choose another id.',
  },
  PreconditionFailed: {
    when: '`If-Match` does not have the current `ETag`, or `If-None-Match: *` was sent and the resource already exists. Nothing was changed.',
    client: 'Read the resource again, check what changed, and repeat with its `ETag`.',
  },
  PreconditionRequired: {
    when: 'A conditional write came without `If-Match`, or, for a new resource, without `If-None-Match: *`.',
    client:
      'Send the `ETag` of the state that was read. This prevents two writers from overwriting each other’s changes.',
  },
  PayloadTooLarge: { when: 'The body is larger than 1 MB.', client: 'Send less; the same request fails again.' },
  RateLimited: {
    when: 'More than 100 requests came from the IP address within a minute, or a tool exceeded its usage plan.',
    client: 'Wait for the seconds in `Retry-After` plus a random time, then repeat.',
  },
  Internal: { when: 'The service has a defect.', client: 'Repeat once at most; report it with the `X-Request-Id`.' },
  Unavailable: {
    when: 'A part of the service is overloaded or down, or too many requests change the same record.',
    client: 'Wait for the seconds in `Retry-After` plus a random time, then repeat.',
  },
  Timeout: {
    when: 'The answer took too long. Whether a write took effect is unknown.',
    client:
      'Repeat after a while, with back-off. Reads, the consent routes, and requests with an `Idempotency-Key` are safe to repeat.',
  },
};
