import * as z from 'zod/mini';
import { CalendarDate, combined, Id, Timestamp } from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';

/** A sleep window: what it is, what it rests on, and how it is released. Durations are minutes. */

export const SleepReason = z.object({ code: z.string(), text: z.string() });

export const SleepWindowWeek = z.object({
  from: CalendarDate,
  to: CalendarDate,
  nights: z.int(),
  meanSleepMinutes: z.number(),
  efficiencyPercent: z.number(),
});

const prescription = {
  minutes: z.int(),
  /** By the clock, wherever the patient is: `23:45`. */
  bedTime: z.string(),
  risingTime: z.string(),
  ruleVersion: z.string(),
  because: z.array(SleepReason),
  week: SleepWindowWeek,
};

export const SleepWindow = z.object(
  combined(
    {
      /** From 1. */
      sequence: z.int(),
      /** The date of the first evening. */
      from: CalendarDate,
      releasedAt: Timestamp,
      /** Who released it: a physician, or the patient after a screening. */
      by: z.enum(['physician', 'screening']),
    },
    prescription,
  ),
);

export const SleepWindowProposal = z.object(combined({ proposalId: Id }, prescription));

/** Of the night that comes: its true length also where summer time begins or ends in it. */
export const SleepWindowNight = z.object({ inBedAt: Timestamp, outOfBedAt: Timestamp });

export const SleepWindowNext = z.object({
  /** The earliest date of the next one; null without a diary. */
  dueOn: z.nullable(CalendarDate),
  /** In the diary of the last seven days. */
  nights: z.int(),
  nightsNeeded: z.int(),
  /** Null where a physician can release it: also what suspends it. */
  waitingFor: z.nullable(SleepReason),
});

export const SleepScreening = z.object({ questionnaireId: Id, version: z.string() });

/** Who releases what is proposed. */
export const SleepWindowReleaser = z.object({
  by: z.enum(['physician', 'screening']),
  /** Why a physician does; or that the screening has to be answered before the patient can. */
  because: z.array(SleepReason),
  /** The questionnaire of the screening that counts. */
  screening: SleepScreening,
});

const standing = {
  status: z.enum(['none', 'active', 'suspended']),
  window: z.nullable(SleepWindow),
  /** Null where no window is to be kept. */
  tonight: z.nullable(SleepWindowNight),
  suspendedBecause: z.array(SleepReason),
  next: SleepWindowNext,
  release: SleepWindowReleaser,
  /** What the reader can release now; null where that is nothing. */
  proposal: z.nullable(SleepWindowProposal),
};

export const SleepWindowState = z.object(standing);

export const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 06:30'));

type Stated = { [N in 'proposalId' | 'replaces' | 'minutes' | 'risingTime']?: unknown };

const release = z.object({
  /** What is proposed. */
  proposalId: z.optional(Id),
  /** In its place the number of the window that other times are prescribed for. */
  replaces: z.optional(z.int().check(z.gte(1))),
  minutes: z.optional(z.int().check(z.multipleOf(5), z.gte(240), z.lte(720))),
  risingTime: z.optional(ClockTime),
});

export const SleepWindowRelease = release.check(
  z.refine<Stated>(
    ({ proposalId, replaces }) => (proposalId === undefined) !== (replaces === undefined),
    issue('inconsistent', 'must be stated where replaces is not, and not beside it', ['proposalId']),
  ),
  z.refine<Stated>(
    ({ replaces, minutes, risingTime }) => replaces === undefined || minutes !== undefined || risingTime !== undefined,
    issue('inconsistent', 'must be stated beside replaces, or risingTime', ['minutes']),
  ),
);

export const OwnSleepWindowRelease = z.object({ proposalId: Id });

export const SleepWindowWithdrawal = z.object({
  /** The number of the window that was taken back. */
  sequence: z.int(),
  withdrawnAt: Timestamp,
});
