import * as z from 'zod/mini';
import { CalendarDate, combined, Id, Timestamp } from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';

/** A sleep window, the nights from which it follows, and how it is released. Durations are in minutes. */

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
  /** The clock time at the place where the patient is: `23:45`. */
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

/**
 * The next night: the times of the window, or a text that says what to do instead or besides. The length of the window is
 * correct even if summer time begins or ends during it.
 */
export const SleepWindowNight = z.object({
  /** Null if the patient should not follow the window. */
  inBedAt: z.nullable(Timestamp),
  outOfBedAt: z.nullable(Timestamp),
  /** To be shown to the patient; null if the times say all. */
  text: z.nullable(z.string()),
});

export const SleepWindowNext = z.object({
  /** The earliest date of the next window; null without a diary. */
  dueOn: z.nullable(CalendarDate),
  /** Nights in the diary of the last seven days. */
  nights: z.int(),
  nightsNeeded: z.int(),
  /** Why no window can be released, including what suspends it; null if a physician can release the proposal. */
  waitingFor: z.nullable(SleepReason),
});

export const SleepScreening = z.object({ questionnaireId: Id, version: z.string() });

/** Whether a questionnaire has been answered in time for a release. */
export const SleepMeasurement = z.object({
  questionnaireId: Id,
  /** `due`: the last answer is too old. */
  status: z.enum(['answered', 'due', 'not-answered']),
  /** When the patient wrote the answer, which can be long before it arrived. */
  completedAt: z.nullable(Timestamp),
});

/** Who releases the proposal. */
export const SleepWindowReleaser = z.object({
  by: z.enum(['physician', 'screening']),
  /** Why a physician releases it; or what must be answered before the patient can release it. */
  because: z.array(SleepReason),
  /** The questionnaire of the valid screening. */
  screening: SleepScreening,
  /** The questionnaires that must be answered before a window is released. */
  measurements: z.array(SleepMeasurement),
});

/**
 * `measurement-due`: the window counts, but a questionnaire must be answered soon. `ended`: the entitlement has ended, and
 * the window with it.
 */
export const sleepWindowStatuses = ['none', 'active', 'measurement-due', 'suspended', 'ended'] as const;

const standing = {
  status: z.enum(sleepWindowStatuses),
  window: z.nullable(SleepWindow),
  /** Null if there is no window and nothing to say about it. */
  tonight: z.nullable(SleepWindowNight),
  suspendedBecause: z.array(SleepReason),
  /** Names what suspends the window, for a physician who replaces it; null if there is nothing to decide about. */
  suspensionId: z.nullable(Id),
  next: SleepWindowNext,
  release: SleepWindowReleaser,
  /** The proposal that the reader can release now; null if there is none. */
  proposal: z.nullable(SleepWindowProposal),
};

export const SleepWindowState = z.object(standing);

export const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 06:30'));

type Stated = { [N in 'proposalId' | 'replaces' | 'minutes' | 'risingTime']?: unknown };

const release = z.object({
  /** The proposal. */
  proposalId: z.optional(Id),
  /** Instead of `proposalId`: the number of the window for which other times are prescribed. */
  replaces: z.optional(z.int().check(z.gte(1))),
  minutes: z.optional(z.int().check(z.multipleOf(5), z.gte(240), z.lte(720))),
  risingTime: z.optional(ClockTime),
  /** The questionnaires that the patient has not answered in time, as the physician has seen and confirmed. */
  confirmNotAnswered: z.optional(z.array(Id).check(z.maxLength(10))),
  /** Beside `replaces`: what suspends the window, as the physician has seen it. */
  suspensionId: z.optional(Id),
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
  /** The number of the withdrawn window. */
  sequence: z.int(),
  withdrawnAt: Timestamp,
});
