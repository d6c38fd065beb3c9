import * as z from 'zod/mini';
import type { Details, ErrorCode } from './errors.ts';

/**
 * What a client's developer reads about each error: docs/errors.md and the OpenAPI responses are made of it. It stands
 * apart from errors.ts so that no function carries the prose.
 */

type Guide = {
  /** The cause, as the client can see it. */
  readonly when: string;
  /** What a client does about it. */
  readonly client: string;
};

export const errorGuide: Record<ErrorCode, Guide> = {
  VALIDATION_FAILED: {
    when: 'A declared parameter, header or body field is missing, malformed, out of range or given twice.',
    client: 'Correct what `detail.issues` names; the same request fails again.',
  },
  MALFORMED_JSON: { when: 'The body is not JSON.', client: 'Send valid JSON; the same request fails again.' },
  UNSUPPORTED_CONTENT_TYPE: {
    when: 'A body came with a `Content-Type` other than `application/json`, or in a charset other than UTF-8.',
    client: 'Send `Content-Type: application/json`.',
  },
  INVALID_CURSOR: {
    when: 'The `cursor` was altered, or issued for another caller, route or parameters.',
    client: 'Read the collection again from its first page.',
  },
  AGREEMENT_REQUIRED: {
    when: 'A revocation names an agreement with `isRequired: true`. Nothing was changed.',
    client: 'Lead the user to the deletion of the account; never call the revocation for a required agreement.',
  },
  UNAUTHENTICATED: {
    when:
      'There is no bearer token, or it fails any check: signature, issuer, client, kind or time. In a sign-in: the ' +
      'user name or the password is wrong, the session is over, or the refresh token is not valid any more.',
    client: 'Renew the access token once and repeat; if that fails, sign the user in again.',
  },
  TOTP_REQUIRED: {
    when: 'User name and password are right, and the account has a second factor. The session lasts three minutes.',
    client: 'Ask for the code; send it with `detail.session` and `grantType` `totp`.',
  },
  TOTP_SETUP_REQUIRED: {
    when:
      'User name and password are right, and the account needs a second factor that it does not have yet. The session ' +
      'lasts three minutes.',
    client:
      'Show `detail.secret` (base32, for RFC 6238 with SHA-1, six digits and 30 seconds) as a QR code; send the first ' +
      'code with `detail.session` and `grantType` `totp_setup`. Do not store the secret.',
  },
  TOTP_INVALID: {
    when: "The code is not that of the account's authenticator app at this time, or it was used before.",
    client: 'Ask for the next code and repeat with the same session; on `UNAUTHENTICATED` begin the sign-in anew.',
  },
  CHALLENGE_REQUIRED: {
    when: 'User name and password are right, but the account needs what this API does not offer: `detail.challenge` names it.',
    client: 'Lead the user to support; with `NEW_PASSWORD_REQUIRED` the account still has its temporary password.',
  },
  FORBIDDEN: {
    when: 'The caller is authenticated, but none of its roles holds the permission of the route.',
    client: 'Do not repeat; hide the function from this user.',
  },
  ROUTE_NOT_FOUND: {
    when: 'No route has this method and path under the base address, in this environment.',
    client: 'Check the base address and the path; do not repeat.',
  },
  AGREEMENT_NOT_FOUND: {
    when: 'The application has no agreement with this id. An agreement of the other application counts as none.',
    client: 'Read the list of agreements again.',
  },
  AGREEMENT_VERSION_NOT_FOUND: {
    when: 'The application has no agreement version with this id.',
    client: 'Read the list of agreements again.',
  },
  CONSENT_NOT_FOUND: {
    when: 'The caller never consented to this agreement, so that there is nothing to give a receipt of.',
    client: 'Offer the receipt only where the list says `agreedAt` or `revokedAt`.',
  },
  AGREEMENT_VERSION_NOT_ACTIVE: {
    when: 'A newer version took effect, or this one was withdrawn or is not in effect yet. Nothing was changed.',
    client: 'Show the version that `detail.activeVersionId` names and ask again; null: there is nothing to agree to.',
  },
  AGREEMENT_VERSION_PUBLISHED: {
    when: 'A published or withdrawn version was to get other texts or another `effectiveFrom`. Nothing was changed.',
    client: 'Draft a new version; what users were shown stays as it was.',
  },
  AGREEMENT_VERSION_NOT_PUBLISHED: {
    when: 'A draft was to be withdrawn. Nothing was changed.',
    client: 'Leave the draft: nobody can see it or agree to it.',
  },
  AGREEMENT_LIMIT_REACHED: {
    when: 'The application has 100 agreements. Nothing was changed.',
    client: 'Publish a new version of an agreement that is there.',
  },
  AGREEMENT_CONTENT_INCOMPLETE: {
    when:
      'A version was to be published of which a text was not uploaded (`missing`), is not the one whose hash the ' +
      'version declares (`mismatch`), or has more than 10 MB (`tooLarge`). Nothing was changed.',
    client: 'Upload what `detail.locales` names, and publish again.',
  },
  AGREEMENT_CONTENT_NOT_FOUND: {
    when: 'The version is a draft, or has no text in the `locale`; a consent record names one that it has.',
    client: "Ask with the record's own `locale`, or without one for the version's default.",
  },
  CONFLICT: {
    when: 'Something has this id already, in whichever application. Nothing was changed.',
    client: 'Look whether it is what was meant (a repeated request); otherwise choose another id.',
  },
  APP_VERSION_POLICY_NOT_FOUND: {
    when: 'There is no such application or platform, or no policy was stored for it yet.',
    client: 'Check the path; the first policy is stored by a PUT with `If-None-Match: *`.',
  },
  PRECONDITION_FAILED: {
    when: '`If-Match` does not name the current `ETag`, or `If-None-Match: *` met something. Nothing was changed.',
    client: 'Read the resource again, look at what changed, and repeat with its `ETag`.',
  },
  PRECONDITION_REQUIRED: {
    when: 'A conditional write came without `If-Match`, or without `If-None-Match: *` for a first one.',
    client: 'Send the `ETag` of the state that was read; this keeps two writers from undoing each other.',
  },
  MESSAGE_NOT_FOUND: {
    when: "The caller's agent board has no message with this id. Another user's message counts as none.",
    client: 'Read the agent board again.',
  },
  CONSENTS_RELEASED: {
    when: 'The retention of an erased user has ended: the consent records are marked to go, and their tombstone is signed.',
    client: 'Show the state that `GET /users/{userId}/erasure` answers; a hold is no longer possible.',
  },
  USER_NOT_FOUND: {
    when:
      'Of the caller: the account was erased; an access token of it still counts until its end. Of a user in the path: ' +
      'no user of the sleep-care app with this id has used the app yet, or the deletion of the account was asked for.',
    client:
      'Of the caller: forget the tokens and what is stored of the user, and show the sign-in. Otherwise find the user anew.',
  },
  PAYLOAD_TOO_LARGE: { when: 'The body is larger than 1 MB.', client: 'Send less; the same request fails again.' },
  RATE_LIMITED: {
    when: 'More than 100 requests came from the IP address within a minute, or a tool exceeded its usage plan.',
    client: 'Wait for the seconds in `Retry-After`, with some jitter, then repeat.',
  },
  INTERNAL: { when: 'A defect of the service.', client: 'Repeat once at most; report it with the `X-Request-Id`.' },
  UNAVAILABLE: {
    when: 'A part of the service throttles or is down, or too many requests contend for the same record.',
    client: 'Wait for the seconds in `Retry-After`, with some jitter, then repeat.',
  },
  TIMEOUT: {
    when: 'The answer took too long. Whether a write took effect is unknown.',
    client: 'Repeat after a while, with back-off; reads and the consent routes are safe to repeat.',
  },
};

/** `Details` as schemas; a detail whose schema is missing or differs from its type does not compile. */
export const detailSchemas: {
  [C in keyof Details]: z.ZodMiniType<Details[C]>;
} = {
  VALIDATION_FAILED: z.object({
    issues: z.array(
      z.object({ in: z.enum(['path', 'query', 'body', 'header']), path: z.string(), message: z.string() }),
    ),
  }),
  TOTP_REQUIRED: z.object({ session: z.string() }),
  TOTP_SETUP_REQUIRED: z.object({ session: z.string(), secret: z.string() }),
  CHALLENGE_REQUIRED: z.object({ challenge: z.string() }),
  AGREEMENT_VERSION_NOT_ACTIVE: z.object({ agreementId: z.string(), activeVersionId: z.nullable(z.string()) }),
  AGREEMENT_CONTENT_INCOMPLETE: z.object({
    locales: z.array(z.object({ locale: z.string(), problem: z.enum(['missing', 'mismatch', 'tooLarge']) })),
  }),
};
