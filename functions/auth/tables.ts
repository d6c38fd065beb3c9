import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { Tries } from './rules/lock.ts';
import type { UnusedCodes } from './rules/recovery-code.ts';
import type { SessionRow } from './rules/session-row.ts';

export { EndedSessions } from '../../lib/contract/ended-sessions.ts';

/** A user's sessions, each from its sign-in on, with Cognito's refresh token sealed; one that was ended stays until its tokens have. */
export const Sessions = table<SessionRow>()('Sessions', {
  partitionKey: 'userId',
  sortKey: 'sessionId',
  // Twenty functions end sessions, and none of them changes what a session is.
  adjustable: ['renewedAt', 'endedAt', 'endedBy'],
  expires: true,
});
export type Sessions<A extends Action> = Handle<typeof Sessions, A>;

export type KeptSignIn = {
  readonly userId: string;
  /** Sorts by time: `<at>.<random>`. */
  readonly signInId: string;
  /** Real time. */
  readonly at: string;
  readonly application: 'sleepcare' | 'medinfo';
  /** Null where the address could not be read. */
  readonly network: string | null;
  /** The app did not prove an earlier session: the owner got a mail. */
  readonly isNewDevice: boolean;
  /** In seconds since 1970. */
  readonly expiresAt: number;
};

/** A user's sign-ins of the last 90 days: who came in, and when. No renewals. */
export const SignIns = table<KeptSignIn>()('SignIns', { partitionKey: 'userId', sortKey: 'signInId', expires: true });
export type SignIns<A extends Action> = Handle<typeof SignIns, A>;

/** Of each user the hashes of the recovery codes that are left. */
export const RecoveryCodes = table<UnusedCodes>()('RecoveryCodes', { partitionKey: 'userId', adjustable: ['hashes'] });
export type RecoveryCodes<A extends Action> = Handle<typeof RecoveryCodes, A>;

/** Failed sign-ins of the last minutes by the keyed hash of account and IP address. */
export const SignInTries = table<Tries & { readonly expiresAt: number }>()('SignInTries', {
  partitionKey: 'pair',
  expires: true,
});
export type SignInTries<A extends Action> = Handle<typeof SignInTries, A>;
