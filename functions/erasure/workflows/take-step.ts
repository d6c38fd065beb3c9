import type { Account } from '../../../lib/contract/accounts.ts';
import { type Step, stepDue } from '../rules/due.ts';
import {
  begun,
  carriedOut,
  closed,
  closing,
  erased,
  notBegun,
  released,
  type Seal,
  settled,
  signedOut,
} from '../rules/erasure.ts';
import {
  type Grace,
  notClosed,
  recordFirstSeen,
  recordWitnessed,
  restoreAccount,
  withoutRequest,
} from '../rules/grace.ts';
import type { Chain, Erasure } from '../rules/state.ts';

/**
 * One step of an erasure, in an order that allows a crash at any point. First the decision is written, on the condition
 * that nothing has changed (so a hold that was first stays). Then the work is done, which can be repeated. Last it is
 * written that the work is done.
 */

/** The state has no hold, but `LegalHolds` has one: somebody without the right to lift it wrote the state, or a restore lost it. */
export class HoldStands extends Error {
  override readonly name = 'HoldStands';
}

/** The table has a request that its user did not make or has taken back, or whose grace period is not over. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

/** The stored states. `change` writes the rule's result; if another writer was first, it decides again. */
export type Register = {
  readonly read: (userId: string) => Promise<Erasure | null>;
  /** `known`: the state if it was already read; otherwise `change` reads it. */
  readonly change: (
    userId: string,
    rule: (before: Erasure) => Erasure,
    known?: Erasure | null,
  ) => Promise<Erasure | null>;
  /** Like `change`, in one transaction with the condition that the user has no hold. @throws HoldStands */
  readonly changeUnheld: (userId: string, rule: (before: Erasure) => Erasure) => Promise<Erasure | null>;
  readonly now: () => Date;
  readonly businessNow: Date;
};

/** The evidence, outside the tables, that the user requested the erasure. */
export type Evidence = {
  /** Stores that a request is seen for the first time. */
  readonly grace: Grace;
  /** Whether the request was seen before. @throws if the user made no request */
  readonly isSeen: (erasure: Erasure) => Promise<boolean>;
  /** Whether its user took the request back, whatever the row says. */
  readonly isTakenBack: (erasure: Erasure) => Promise<boolean>;
  /** The account is closed and its sessions have ended: the grace period begins now. */
  readonly laySeen: (erasure: Erasure) => Promise<void>;
  readonly isGraceOver: (erasure: Erasure) => Promise<boolean>;
  /**
   * Decides to close sign-in. From now on nothing can be taken back.
   *
   * @returns false if the user took the request back first
   */
  readonly isClosing: (erasure: Erasure) => Promise<boolean>;
  /** Whether this was decided after the grace period, and no token is valid any more. */
  readonly isClosed: (erasure: Erasure) => Promise<boolean>;
  readonly isBegunLaid: (erasure: Erasure) => Promise<boolean>;
  readonly layBegun: (erasure: Erasure) => Promise<void>;
  readonly layErased: (erasure: Erasure) => Promise<void>;
};

export type Settling = {
  /** The time of the latest record of any agreement of the user; null if there is none. */
  readonly lastRecordAt: (userId: string) => Promise<string | null>;
  /** After this, no session gives an access token any more. The user can still sign in. */
  readonly endSessions: (userId: string) => Promise<void>;
};

type Closing = {
  /** After this, nobody can get a new access token for the account. */
  readonly closeSignIn: (userId: string) => Promise<void>;
  readonly accessSeconds: number;
};

export type Erasing = Settling &
  Closing &
  Evidence & {
    /**
     * Makes the account's rows match the state: closed. If somebody planted the state, the account may still be open.
     */
    readonly closeAccount: (erasure: Erasure) => Promise<void>;
    readonly readAccount: (userId: string) => Promise<Account>;
    /** Deletes tokens, devices, messages, the profile and the pool's user. */
    readonly eraseAccount: (userId: string, begunAt: string) => Promise<void>;
  };

export type Releasing = {
  /** The user's chains in the ledger, and the signed statement about them. @throws if the log does not confirm it */
  readonly seal: (erasure: Erasure, releasedAt: Date) => Promise<Omit<Seal, 'releasedAt'>>;
  /** Sets one expiry on every record of every chain. @throws if the tombstone is not the signed statement */
  readonly release: (
    erasure: Erasure & { chains: Chain[]; tombstone: string; recordsExpireAt: string },
  ) => Promise<void>;
};

/** What a restoration needs of `settle`: the time at which the consents ended. */
export async function settleConsents(
  userId: string,
  register: Register,
  { lastRecordAt }: Pick<Settling, 'lastRecordAt'>,
): Promise<void> {
  const last = await lastRecordAt(userId);
  await register.change(userId, (before) => settled(before, last, timesOf(register)));
}

/**
 * After the commit of the request nothing more is written for the user. Only then is the last record known.
 *
 * @returns the new state, with the times of the call that was first
 */
export async function settle(
  userId: string,
  register: Register,
  { lastRecordAt, endSessions }: Settling,
  known?: Erasure | null,
): Promise<Erasure> {
  const [last, out] = await Promise.allSettled([lastRecordAt(userId), endSessions(userId)]);
  if (last.status === 'rejected') throw last.reason;
  const rule = (before: Erasure) => {
    const ended = settled(before, last.value, timesOf(register));
    return out.status === 'rejected' ? ended : signedOut(ended, register.now());
  };
  const after = await register.change(userId, rule, known);
  // Consents end even while the user pool is down.
  if (out.status === 'rejected') throw out.reason;
  if (!after) throw new Error('an erasure that was requested is gone');
  return after;
}

/**
 * The grace period begins now, by S3's clock. The user is signed out, gets 403, and has the full grace period to take
 * the request back. If the row says that more has happened, this is not trusted.
 */
async function witness(
  userId: string,
  register: Register,
  effects: Erasing,
  erasure: Erasure,
): Promise<Erasure | null> {
  if (!(await effects.isSeen(erasure))) {
    const seen = await register.change(userId, (before) =>
      before.requestedAt === erasure.requestedAt ? recordFirstSeen(before, timesOf(register), effects.grace) : before,
    );
    if (seen?.requestedAt !== erasure.requestedAt) return null;
    await effects.endSessions(userId);
    await effects.closeAccount(seen);
    await effects.laySeen(seen);
  }
  return register.change(userId, (before) =>
    before.requestedAt === erasure.requestedAt ? recordWitnessed(before, register.now()) : before,
  );
}

/** The user took the request back first, but that call stopped halfway. Or somebody planted the request in the row. */
function reopened(before: Erasure, { requestedAt }: Erasure, now: Date): Erasure {
  return before.requestedAt === requestedAt ? (restoreAccount(before, now) ?? before) : before;
}

async function closeAccess(
  userId: string,
  register: Register,
  effects: Closing & Evidence,
  erasure: Erasure,
): Promise<Step | null> {
  // The end in the row may be earlier than the end by S3's dates.
  if (!(await effects.isGraceOver(erasure))) return null;
  if (!(await effects.isClosing(erasure))) {
    await register.change(userId, (before) => reopened(before, erasure, register.now()));
    return null;
  }
  const decided = await register.change(userId, (before) => closing(before, timesOf(register)));
  if (!decided?.closingAt || decided.closedAt) return null;
  await effects.closeSignIn(userId);
  // The last token was issued before this moment.
  await register.change(userId, (before) => closed(before, register.now(), effects.accessSeconds));
  return 'close';
}

/** The due step of a user, if it is a step about the account. */
export async function eraseStep(userId: string, register: Register, effects: Erasing): Promise<Step | null> {
  const erasure = await readOwn(userId, register);
  if (!erasure) return null;
  const step = stepDue(erasure, timesOf(register));
  // Others may have planted the request: nobody's consents end for it.
  if (step === 'settle') await effects.isSeen(erasure);
  const isTakenBack = step !== null && step !== 'release' && (await effects.isTakenBack(erasure));
  const account = isTakenBack ? await effects.readAccount(userId) : null;
  if (account && !account.isClosed) {
    // One transaction writes a request and closes the account: somebody has written an old request again, and perhaps ends of consents.
    await register.change(userId, (before) =>
      before.requestedAt === erasure.requestedAt ? { ...withoutRequest(before), ends: [...account.ends] } : before,
    );
    throw new NotAsked();
  }
  if (step === 'settle') {
    await settle(userId, register, effects);
    return (await eraseStep(userId, register, effects)) ?? step;
  }
  if (isTakenBack) {
    await register.change(userId, (before) => reopened(before, erasure, register.now()));
    return null;
  }
  if (step !== null && step !== 'release' && (step === 'witness' || !(await effects.isSeen(erasure)))) {
    const seen = await witness(userId, register, effects, erasure);
    return (seen?.witnessedAt ? await eraseStep(userId, register, effects) : null) ?? 'witness';
  }
  if (step === 'close') return closeAccess(userId, register, effects, erasure);
  if (step !== 'erase') return null;
  if (!(await effects.isClosed(erasure))) {
    // The row is corrected, so that it prevents no erasure. An operator must find out who wrote it.
    await register.change(userId, (before) =>
      before.requestedAt === erasure.requestedAt ? notClosed(before) : before,
    );
    throw new NotAsked();
  }
  const begunBy = await begin(erasure, register, effects);
  if (begunBy?.pending !== 'erasure' || !begunBy.begunAt) return null;
  await effects.eraseAccount(userId, begunBy.begunAt);
  // Stored before the row is written, because the check of overdue erasures reads the evidence.
  await effects.layErased(begunBy);
  await register.change(userId, (before) => erased(before, register.now()));
  return step;
}

/**
 * The erasure begins only if there is no hold, in one transaction. If the row says that the erasure has begun, this is
 * not trusted: only the evidence that is stored after this decision proves it, and nothing is erased before.
 */
async function begin(erasure: Erasure, register: Register, effects: Evidence): Promise<Erasure | null> {
  const { userId } = erasure;
  if (await effects.isBegunLaid(erasure)) return register.change(userId, (before) => begun(before, timesOf(register)));
  try {
    const begunBy = await register.changeUnheld(userId, (before) => {
      const after = begun(before, timesOf(register));
      // Written again even if it is already there, because the condition needs a write.
      return after.pending === 'erasure' ? { ...after } : before;
    });
    if (begunBy?.pending === 'erasure') await effects.layBegun(begunBy);
    return begunBy;
  } catch (error) {
    if (!(error instanceof HoldStands) || !erasure.legalHold) throw error;
    // Somebody placed a hold between the decision and its evidence.
    const held = await register.change(userId, (before) => notBegun(before, register.now()));
    // The run that began may still be under way: it continues, and this run stops.
    return held?.pending === 'erasure' ? null : held;
  }
}

/** The same for the release of the records. */
export async function releaseStep(userId: string, register: Register, effects: Releasing): Promise<Step | null> {
  if ((await dueStep(userId, register)) !== 'release') return null;
  const decided = await decideRelease(userId, register, effects);
  if (decided?.pending !== 'release') return null;
  const { chains, tombstone, recordsExpireAt } = decided;
  if (!chains || !tombstone || !recordsExpireAt) throw new Error('a release without its tombstone');
  await effects.release({ ...decided, chains, tombstone, recordsExpireAt });
  await register.change(userId, carriedOut);
  return 'release';
}

async function decideRelease(userId: string, register: Register, { seal }: Releasing): Promise<Erasure | null> {
  const before = await readOwn(userId, register);
  if (!before) return null;
  // Logged again, because the run that decided may have stopped before the log.
  if (before.pending === 'release') return register.change(userId, (latest) => latest, before);
  const releasedAt = register.now();
  const sealed = await seal(before, releasedAt);
  return register.changeUnheld(userId, (latest) => released(latest, timesOf(register), { ...sealed, releasedAt }));
}

async function dueStep(userId: string, register: Register): Promise<Step | null> {
  const erasure = await readOwn(userId, register);
  return erasure && stepDue(erasure, timesOf(register));
}

/** The evidence and the hold are those of the user whose data is erased. */
async function readOwn(userId: string, register: Register): Promise<Erasure | null> {
  const erasure = await register.read(userId);
  if (erasure && erasure.userId !== userId) throw new NotAsked();
  return erasure;
}

function timesOf({ now, businessNow }: Register) {
  return { now: now(), businessNow };
}
