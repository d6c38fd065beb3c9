import { type Step, stepDue } from '../rules/due.ts';
import {
  begun,
  type Chain,
  carriedOut,
  closed,
  closing,
  type Erasure,
  erased,
  released,
  type Seal,
  settled,
  signedOut,
} from '../rules/erasure.ts';

/**
 * One step of an erasure, in an order that can break off anywhere: what is decided is written before it is done, on the
 * condition that nothing has changed since (a hold that came first stands); what is done can be done again; and that it is
 * done is written last.
 */

/** The states, kept. `change` writes what the rule answers, and decides anew where another writer was first. */
export type Register = {
  readonly read: (userId: string) => Promise<Erasure | null>;
  /** `known`: the state where it was read already; read there unless given. */
  readonly change: (
    userId: string,
    rule: (before: Erasure) => Erasure,
    known?: Erasure | null,
  ) => Promise<Erasure | null>;
  readonly now: () => Date;
  readonly businessNow: Date;
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
  Closing & {
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

async function closeAccess(userId: string, register: Register, effects: Closing): Promise<Step | null> {
  const decided = await register.change(userId, (before) => closing(before, timesOf(register)));
  if (!decided?.closingAt || decided.closedAt) return null;
  await effects.closeSignIn(userId);
  // The last token was issued before this moment.
  await register.change(userId, (before) => closed(before, register.now(), effects.accessSeconds));
  return 'close';
}

/** The step that is due for a user, where it is one of an account's. */
export async function eraseStep(userId: string, register: Register, effects: Erasing): Promise<Step | null> {
  const step = await dueStep(userId, register);
  if (step === 'settle') {
    await settle(userId, register, effects);
    return (await eraseStep(userId, register, effects)) ?? step;
  }
  if (step === 'close') return closeAccess(userId, register, effects);
  if (step !== 'erase') return null;
  const begunBy = await register.change(userId, (before) => begun(before, timesOf(register)));
  if (begunBy?.pending !== 'erasure' || !begunBy.begunAt) return null;
  await effects.eraseAccount(userId, begunBy.begunAt);
  await register.change(userId, (before) => erased(before, register.now()));
  return step;
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
  const before = await register.read(userId);
  if (!before || before.pending === 'release') return before;
  const releasedAt = register.now();
  const sealed = await seal(before, releasedAt);
  return register.change(userId, (latest) => released(latest, timesOf(register), { ...sealed, releasedAt }));
}

async function dueStep(userId: string, register: Register): Promise<Step | null> {
  const erasure = await register.read(userId);
  return erasure && stepDue(erasure, timesOf(register));
}

function timesOf({ now, businessNow }: Register) {
  return { now: now(), businessNow };
}
