/** The state of an account's erasure, which its rules take and return. */

/** By an administrator; `reason` is the reference of a case. */
export type LegalHold = { since: string; by: string; reason: string };
export type HoldRow = LegalHold & { userId: string };

/** A user's chain of records at the time of its release. */
export type Chain = { agreementId: string; records: number; lastSequence: number; lastHash: string };

/**
 * One row for each user with an erasure or a hold. It has no personal data, so it stays when everything else is
 * deleted.
 */
export type Erasure = {
  userId: string;
  /** Null if the user is under a hold and only consent records of the user are known. */
  application: string | null;
  /** Counts the changes: a decision that was made on an older state is not written. */
  revision: number;
  /** The time of the current request. Null again after it was taken back, like everything that follows from it. */
  requestedAt: string | null;
  /** The time at which every consent ended. Nothing is written for the user after it, and no record is later. */
  endedAt: string | null;
  /** From then on `endedAt` is final. */
  settledAt: string | null;
  /** The time at which the sessions were ended. A user who signs in after it has a new session. */
  signedOutAt: string | null;
  /**
   * When the erasing function first saw the request, closed the account, and stored evidence of this, dated by S3. The
   * grace period begins then.
   */
  witnessedAt: string | null;
  /** Until then the request can be taken back, by the business rules' time. */
  graceEndsAt: string | null;
  /** When a request was last taken back. */
  restoredAt: string | null;
  /** All earlier values of `endedAt` that ended consents, in order: these consents stay ended. */
  ends: string[];
  /** From then on the request can no longer be taken back. */
  closingAt: string | null;
  /** Sign-in and renewal were refused from then on. */
  closedAt: string | null;
  /** No access token is valid any more. */
  accessEndsAt: string | null;
  /** From then on nothing stops the erasure: half of an account is of use to nobody. */
  begunAt: string | null;
  /** When a beginning was last taken back because a hold was first. No beginning up to this time counts. */
  heldBackAt: string | null;
  erasedAt: string | null;
  /** The records are evidence until then. */
  retainUntil: string | null;
  releasedAt: string | null;
  /** The expiry of all records of the user. */
  recordsExpireAt: string | null;
  chains: Chain[] | null;
  /** The signed statement about the released records: a JWS. */
  tombstone: string | null;
  legalHold: LegalHold | null;
  /** When the hold was placed, changed or lifted. If two states differ, the later time counts. */
  holdChangedAt: string | null;
  /** The step that was decided but is not known to be finished. It is carried out, perhaps once more. */
  pending: 'erasure' | 'release' | null;
};

export type ErasureKey = { kind: string; erasureKey: string };
export type ErasureRow = ErasureKey & Erasure;
/** A user's next step in its queue. */
export type DueRow = ErasureKey & { userId: string };

/** Tokens use the real time. The grace and retention periods use the business time, which the time machine moves. */
export type Times = { now: Date; businessNow: Date };
