import { type Step, stepDue } from '../rules/due.ts';
import {
  begun,
  type Chain,
  carriedOut,
  closed,
  closing,
  type Erasure,
  erased,
  notBegun,
  released,
  type Seal,
  settled,
  signedOut,
} from '../rules/erasure.ts';
import { firstSeen, type Grace, notClosed, restored, witnessed } from '../rules/grace.ts';

/**
 * One step of an erasure, in an order that can break off anywhere: what is decided is written before it is done, on the
 * condition that nothing has changed since (a hold that came first stands); what is done can be done again; and that it is
 * done is written last.
 */

/** The state has no hold, but `LegalHolds` has one: somebody without the right to lift it wrote the state, or a restore lost it. */
export class HoldStands extends Error {
  override readonly name = 'HoldStands';
}

/** The table has a request that its user did not make, took back, or made less than the grace ago. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

/** The states, kept. `change` writes what the rule answers, and decides anew where another writer was first. */
export type Register = {
  readonly read: (userId: string) => Promise<Erasure | null>;
  /** `known`: the state where it was read already; read there unless given. */
  readonly change: (
    userId: string,
    rule: (before: Erasure) => Erasure,
    known?: Erasure | null,
  ) => Promise<Erasure | null>;
  /** `change` in one transaction with the condition that nobody holds the user's data. @throws HoldStands */
  readonly changeUnheld: (userId: string, rule: (before: Erasure) => Erasure) => Promise<Erasure | null>;
  readonly now: () => Date;
  readonly businessNow: Date;
};

/** What shows, outside the tables, that an erasure is one that its user asked for. */
export type Evidence = {
  /** Of a request that is seen for the first time. */
  readonly grace: Grace;
  /** Whether the request was seen before. @throws where the user did not ask */
  readonly isSeen: (erasure: Erasure) => Promise<boolean>;
  /** Whether its user took the request back, whatever the row says. */
  readonly isTakenBack: (erasure: Erasure) => Promise<boolean>;
  /** The account is closed and its sessions have ended: the grace counts from now. */
  readonly laySeen: (erasure: Erasure) => Promise<void>;
  readonly isGraceOver: (erasure: Erasure) => Promise<boolean>;
  /** Decides that sign-in is to be closed: from now on nothing is taken back. @returns false where the user was first */
  readonly isClosing: (erasure: Erasure) => Promise<boolean>;
  /** Whether that was decided, in its time, and no token is valid any more. */
  readonly isClosed: (erasure: Erasure) => Promise<boolean>;
  readonly isBegunLaid: (erasure: Erasure) => Promise<boolean>;
  readonly layBegun: (erasure: Erasure) => Promise<void>;
  readonly layErased: (erasure: Erasure) => Promise<void>;
};

export type Settling = {
  /** Of all agreements of the user; null where there is none. */
  readonly lastRecordAt: (userId: string) => Promise<string | null>;
  /** When it is done, no session gives an access token any more. Signing in goes on. */
  readonly endSessions: (userId: string) => Promise<void>;
};

export type Closing = {
  /** When it is done, no new access token can be had. */
  readonly closeSignIn: (userId: string) => Promise<void>;
  readonly accessSeconds: number;
};

export type Erasing = Settling &
  Closing &
  Evidence & {
    /** Makes the account what the state says: closed. Whoever wrote the state may have left it open. */
    readonly closeAccount: (erasure: Erasure) => Promise<void>;
    /** Tokens, devices, messages, profile and the pool's user. */
    readonly eraseAccount: (userId: string, begunAt: string) => Promise<void>;
  };

export type Releasing = {
  /** What there is of the user in the ledger, and the signed statement of it. @throws where the log does not bear it out */
  readonly seal: (erasure: Erasure, releasedAt: Date) => Promise<Omit<Seal, 'releasedAt'>>;
  /** Sets one expiry on every record of every chain. @throws where the tombstone is not what was signed */
  readonly release: (
    erasure: Erasure & { chains: Chain[]; tombstone: string; recordsExpireAt: string },
  ) => Promise<void>;
};

/**
 * Once the request is committed nothing is written for the user any more: so the last record is known, and no earlier.
 *
 * @returns the state after it: its times are those of whoever was first
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
  // Consents end while the user pool is down, too.
  if (out.status === 'rejected') throw out.reason;
  if (!after) throw new Error('an erasure that was requested is gone');
  return after;
}

/**
 * From now on the grace counts, by S3's clock: the user is signed out and gets 403, and has all of it to take the request back. A row that
 * says that more has happened is not taken at its word.
 */
async function witness(
  userId: string,
  register: Register,
  effects: Erasing,
  erasure: Erasure,
): Promise<Erasure | null> {
  if (!(await effects.isSeen(erasure))) {
    const seen = await register.change(userId, (before) =>
      before.requestedAt === erasure.requestedAt ? firstSeen(before, timesOf(register), effects.grace) : before,
    );
    if (seen?.requestedAt !== erasure.requestedAt) return null;
    await effects.endSessions(userId);
    await effects.closeAccount(seen);
    await effects.laySeen(seen);
  }
  return register.change(userId, (before) =>
    before.requestedAt === erasure.requestedAt ? witnessed(before, register.now()) : before,
  );
}

/** The user was first, and what was to follow broke off; or somebody wrote that the request stands. */
function reopened(before: Erasure, { requestedAt }: Erasure, now: Date): Erasure {
  return before.requestedAt === requestedAt ? (restored(before, now) ?? before) : before;
}

async function closeAccess(
  userId: string,
  register: Register,
  effects: Closing & Evidence,
  erasure: Erasure,
): Promise<Step | null> {
  // The row may know of an earlier end than S3.
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

/** The step that is due for a user, where it is one of an account's. */
export async function eraseStep(userId: string, register: Register, effects: Erasing): Promise<Step | null> {
  const erasure = await readOwn(userId, register);
  if (!erasure) return null;
  const step = stepDue(erasure, timesOf(register));
  if (step === 'settle') {
    await settle(userId, register, effects);
    return (await eraseStep(userId, register, effects)) ?? step;
  }
  if (step !== null && step !== 'release' && (await effects.isTakenBack(erasure))) {
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
    // The row is mended, so that it keeps nobody's erasure from being done; and somebody has to look at who wrote it.
    await register.change(userId, (before) =>
      before.requestedAt === erasure.requestedAt ? notClosed(before) : before,
    );
    throw new NotAsked();
  }
  const begunBy = await begin(erasure, register, effects);
  if (begunBy?.pending !== 'erasure' || !begunBy.begunAt) return null;
  await effects.eraseAccount(userId, begunBy.begunAt);
  // Before the row: the check of overdue erasures reads the evidence.
  await effects.layErased(begunBy);
  await register.change(userId, (before) => erased(before, register.now()));
  return step;
}

/**
 * Whether it may begin is decided with the hold. A row that says that it has begun is not taken at its word: only what was
 * laid after that decision shows it, and until then nothing is erased.
 */
async function begin(erasure: Erasure, register: Register, effects: Evidence): Promise<Erasure | null> {
  const { userId } = erasure;
  if (await effects.isBegunLaid(erasure)) return register.change(userId, (before) => begun(before, timesOf(register)));
  try {
    const begunBy = await register.changeUnheld(userId, (before) => {
      const after = begun(before, timesOf(register));
      // Written anew where it stands already, since the condition goes with what is written.
      return after.pending === 'erasure' ? { ...after } : before;
    });
    if (begunBy?.pending === 'erasure') await effects.layBegun(begunBy);
    return begunBy;
  } catch (error) {
    if (!(error instanceof HoldStands) || !erasure.legalHold) throw error;
    // Between the decision and what shows it somebody placed the hold.
    const held = await register.change(userId, (before) => notBegun(before, register.now()));
    // The run that has begun may be under way: it goes on, and this one does not.
    return held?.pending === 'erasure' ? null : held;
  }
}

/** The same of the records. */
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
  if (!before || before.pending === 'release') return before;
  const releasedAt = register.now();
  const sealed = await seal(before, releasedAt);
  return register.changeUnheld(userId, (latest) => released(latest, timesOf(register), { ...sealed, releasedAt }));
}

async function dueStep(userId: string, register: Register): Promise<Step | null> {
  const erasure = await readOwn(userId, register);
  return erasure && stepDue(erasure, timesOf(register));
}

/** What is asked of evidence and hold is asked of the same user whose data goes. */
async function readOwn(userId: string, register: Register): Promise<Erasure | null> {
  const erasure = await register.read(userId);
  if (erasure && erasure.userId !== userId) throw new NotAsked();
  return erasure;
}

function timesOf({ now, businessNow }: Register) {
  return { now: now(), businessNow };
}
