import * as z from 'zod/mini';
import { Forbidden, Unauthenticated } from '../../lib/contract/common-errors.ts';
import { withAsciiDomain } from '../../lib/contract/email-address.ts';
import { combined, Id, oneLine, pathId, RecordedVersion, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, get, joined, read, sendTo, withSecret, write } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { MailQueue } from '../mail/queues.ts';
import {
  AccountDisabled,
  ChallengeRequired,
  InvalidCredentials,
  InvalidGrant,
  RecoveryCodeInvalid,
  SessionNotFound,
  SignInLocked,
  TotpInvalid,
  TotpRequired,
  TotpSetupRequired,
} from './errors.ts';
import { endOwnSessions, readOwnSessions } from './permissions.ts';
import { SignInEntry } from './schemas.ts';
import { SignInKey } from './secrets.ts';
import { RecoveryCodes, Sessions, SignIns, SignInTries } from './tables.ts';
import { endingUses } from './uses.ts';

const both = ['sleepcare', 'medinfo'] as const;

/** Cognito's own length and characters of a user name; none of them is a space or a control character. */
const Username = z.string().check(
  z.maxLength(128, { abort: true }),
  z.regex(/^\S+$/, { error: 'must be an e-mail address or user name', abort: true }),
  z.overwrite(withAsciiDomain),
  z.maxLength(128),
  z.refine((name) => /^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u.test(name), 'must be an e-mail address or user name'),
);

const Password = z.string().check(z.maxLength(256), z.regex(/\S/, 'must not be blank'));

const RefreshToken = z.string().check(z.minLength(1), z.maxLength(8192));

/** `sealedSession` makes it, of Cognito's session with up to 2048 characters, a user name, and a seal of up to 512. */
const Session = z.string().check(z.minLength(20), z.maxLength(4096));

const Code = z.string().check(z.regex(/^[0-9]{6}$/, 'must be six digits'));

/** All optional: shipped clients send none. */
const SaidAtSignIn = {
  /** The app's last refresh token of the same user, also of a session that is over: that session ends, and no mail is sent. */
  previousRefreshToken: z.optional(RefreshToken),
  /** Shown in the list of sessions: `Anna's iPhone`. */
  deviceName: z.optional(z.string().check(z.maxLength(100), oneLine)),
  appVersion: z.optional(RecordedVersion),
};

const PasswordGrant = z.object({
  grantType: z.literal('password'),
  username: Username,
  password: Password,
  ...SaidAtSignIn,
});
const RefreshGrant = z.object({
  grantType: z.literal('refresh_token'),
  refreshToken: RefreshToken,
  appVersion: z.optional(RecordedVersion),
});
/** Without a user name, since the session knows whose it is; one that is sent counts for nothing. */
const TotpGrant = z.object({ grantType: z.literal('totp'), session: Session, code: Code, ...SaidAtSignIn });
const TotpSetupGrant = z.object({ grantType: z.literal('totp_setup'), session: Session, code: Code, ...SaidAtSignIn });

const Tokens = {
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  /** Seconds. */
  expiresIn: z.int(),
};

/** A token whose successor was used. One is a mail to its user; many within a quarter of an hour are an attack, or an app's defect. */
const refreshTokenReused = {
  alarmAt: 5,
  withinSeconds: 900,
  impact: 'Refresh tokens are used that had been replaced: many are in the wrong hands, or an app keeps old ones',
} as const;

export const issueTokens = route({
  method: 'POST',
  path: '/auth/tokens',
  summary: 'Signs a user in, or renews a session by its refresh token',
  description:
    'Each renewal returns the next refresh token. A renewal that is sent again, after a lost answer, gets the same one. ' +
    'A token whose successor was used counts as stolen: the session ends, and its user gets a mail. A session of ' +
    'sleepcare ends 30 days after its sign-in or 14 days after its last renewal, one of medinfo after 12 hours or 60 ' +
    'minutes. A sign-in with a second factor takes two calls. The first gets 401 `TOTP_REQUIRED`, or `TOTP_SETUP_REQUIRED` ' +
    'if the account has no authenticator app yet. The second sends the code with the session of that answer; the ' +
    'session also identifies the user. The answer is the same for a wrong password and an unknown user. After ten ' +
    'failures of an account from one address in 15 minutes the answer is 429 `SIGN_IN_LOCKED` for 15 minutes. A ' +
    'sign-in sends the user a mail, unless it presents the last refresh token of this app for the same user as ' +
    '`previousRefreshToken`, also one that has expired. The session of that token ends. A session that was ended by a ' +
    'person proves nothing.',
  applications: both,
  auth: 'public',
  uses: joined(endingUses, [
    userPool(['authenticate', 'answer-challenge']),
    write(SignInTries),
    write(Sessions),
    append(SignIns),
    withSecret(SignInKey),
    sendTo(MailQueue),
  ]),
  headers: z.object({ 'user-agent': z.optional(z.string()) }),
  body: z.discriminatedUnion('grantType', [PasswordGrant, RefreshGrant, TotpGrant, TotpSetupGrant], {
    error: 'must be a grant: grantType is password, refresh_token, totp or totp_setup',
  }),
  response: z.object(combined(Tokens, { refreshToken: z.string() })),
  errors: [
    InvalidCredentials,
    AccountDisabled,
    InvalidGrant,
    SignInLocked,
    TotpRequired,
    TotpSetupRequired,
    TotpInvalid,
    ChallengeRequired,
  ],
  counts: {
    refreshTokenReused,
    // Ten tries of an account are let through from an address: these are of ten accounts or addresses at least.
    signInRefused: {
      alarmAt: 100,
      withinSeconds: 900,
      impact:
        'A hundred sign-ins were refused within a quarter of an hour. Somebody may be trying the passwords of many ' +
        'accounts, or an app sends wrong ones.',
    },
    signInLocked: {
      alarmAt: 20,
      withinSeconds: 900,
      impact:
        'Twenty sign-ins met a lock within a quarter of an hour: somebody goes on guessing, or users are locked out for ' +
        '15 minutes.',
    },
    signInNotKept: {
      alarmAt: 1,
      withinSeconds: 300,
      impact: 'Users sign in as usual, but a sign-in is missing from the list that shows them who came in.',
    },
  },
});

export const revokeToken = route({
  method: 'POST',
  path: '/auth/tokens/revoke',
  summary: 'Ends a session: its refresh token can no longer be used',
  description:
    'The session leaves the list of sessions, and its access tokens are refused at once (401). For a token that is unknown ' +
    'or already revoked the call succeeds as well (RFC 7009).',
  applications: both,
  auth: 'public',
  uses: joined(endingUses, [withSecret(SignInKey), userPool('renew')]),
  body: z.object({ refreshToken: RefreshToken }),
  response: z.object({ success: z.literal(true) }),
  errors: [],
});

export const getPhysicianAccess = route({
  method: 'GET',
  path: '/auth/tokens/md/access',
  summary: 'An access token for a physician',
  description:
    'The bearer is an access token or a refresh token. For an access token, the answer has its remaining seconds, ' +
    'and `refreshToken` is null. For a refresh token, the answer has a new access token and the next refresh ' +
    'token. The call replaces the refresh token, even if its owner is not a physician. A bearer that does not look ' +
    'like an access token counts as a refresh token.',
  applications: ['medinfo'],
  auth: 'public',
  uses: joined(endingUses, [
    userPool('renew'),
    write(Sessions),
    withSecret(SignInKey),
    get(StaffAccounts),
    sendTo(MailQueue),
  ]),
  counts: { refreshTokenReused },
  tolerant: true,
  headers: z.object({ authorization: z.optional(z.string()) }),
  response: z.object(combined(Tokens, { refreshToken: z.nullable(z.string()) })),
  errors: [Unauthenticated, InvalidGrant, Forbidden],
});

const SignInSession = z.object({
  sessionId: Id,
  /** Of the sign-in. */
  createdAt: Timestamp,
  /** To the day: its start in UTC, or the sign-in where that was later. */
  renewedAt: Timestamp,
  appVersion: z.nullable(z.string()),
  /** As the device called itself. */
  device: z.nullable(z.string()),
  /** The session of the token that asks. */
  isCurrent: z.boolean(),
});

export const listSessions = route({
  method: 'GET',
  path: '/auth/sessions',
  summary: "The caller's sessions, newest first: the devices that are signed in",
  description:
    'Without those that were ended or are over. `renewedAt` is the start of the day (UTC) of the last renewal, or the sign-in where that was later.',
  applications: both,
  auth: readOwnSessions,
  uses: [read(Sessions)],
  cursor: 'place',
  items: SignInSession,
  errors: [],
});

export const listOwnSignIns = route({
  method: 'GET',
  path: '/users/me/sign-ins',
  summary: "The sign-ins to the caller's account in the last 90 days, newest first",
  description: 'Each sign-in with the password, and with the second factor if there is one. Renewals are not listed.',
  applications: both,
  auth: readOwnSessions,
  closedAccount: 'read',
  uses: [read(SignIns)],
  cursor: 'signInId',
  items: SignInEntry,
  errors: [],
});

export const endSession = route({
  method: 'DELETE',
  path: '/auth/sessions/{sessionId}',
  summary: "Ends one of the caller's sessions",
  description:
    'Its refresh token no longer works, and its access tokens are refused at once (401). For a session that has already ' +
    'ended the call succeeds as well.',
  applications: both,
  auth: endOwnSessions,
  uses: joined(endingUses, [withSecret(SignInKey), userPool('renew')]),
  params: z.object({ sessionId: pathId(SessionNotFound) }),
  response: z.object({ success: z.literal(true) }),
  errors: [SessionNotFound],
});

export const endSessions = route({
  method: 'DELETE',
  path: '/auth/sessions',
  summary: "Ends all of the caller's sessions, including the present one",
  description: 'Works like the end of one session, and also ends sessions that are not in the list.',
  applications: both,
  auth: endOwnSessions,
  uses: joined(endingUses, [userPool('end-sessions')]),
  response: z.object({ success: z.literal(true) }),
  errors: [],
});

export const useRecoveryCode = route({
  method: 'POST',
  path: '/auth/recovery-codes/use',
  summary: 'Removes a lost authenticator app, with the password and a recovery code',
  description:
    'The next sign-in asks only for the password. If everybody needs a second factor, it sets up a new app (`TOTP_SETUP_REQUIRED`). Each code works once, typed with or without hyphens or blanks, in capitals or not; O counts as 0, I and L as 1. The user gets a mail. For an account without an app the call succeeds, and no code is used up. Failures count like failures of a sign-in.',
  applications: both,
  auth: 'public',
  uses: [
    userPool(['authenticate', 'read', 'delete-second-factor']),
    write(SignInTries),
    read(RecoveryCodes),
    adjust(RecoveryCodes),
    append(AuditEvents),
    withSecret(SignInKey),
    sendTo(MailQueue),
  ],
  body: z.object({ username: Username, password: Password, recoveryCode: z.string().check(z.maxLength(80)) }),
  response: z.object({ success: z.literal(true) }),
  errors: [InvalidCredentials, AccountDisabled, SignInLocked, RecoveryCodeInvalid, ChallengeRequired],
  counts: {
    recoveryRefused: {
      alarmAt: 20,
      withinSeconds: 900,
      impact:
        'Twenty recovery codes or their passwords were refused within a quarter of an hour. Few people ever use one: ' +
        'somebody may be guessing.',
    },
  },
});
