import * as z from 'zod/mini';
import { combined, Id, Timestamp, WriteOutcome } from '../../lib/contract/fields.ts';
import {
  CrisisHelp,
  occurrenceStatuses,
  QuestionnaireAnswer,
  QuestionnaireTexts,
  ScoreResult,
} from '../questionnaires/schemas.ts';

const response = {
  responseId: Id,
  questionnaireId: Id,
  version: Id,
  bundleId: z.nullable(Id),
  occurrenceId: z.nullable(Id),
  status: z.enum(['draft', 'completed']),
  answers: z.array(QuestionnaireAnswer),
  /** Null until it is completed. */
  scores: z.nullable(z.array(ScoreResult)),
  flags: z.array(z.string()),
  completedAt: z.nullable(Timestamp),
  /** The response that this one corrects, and the one that corrects it. */
  amends: z.nullable(Id),
  amendedBy: z.nullable(Id),
  recordedAt: Timestamp,
  updatedAt: Timestamp,
  replacedAt: z.nullable(Timestamp),
};

export const QuestionnaireResponse = z.object(response);

/** The response in the form that the patient gets. */
export const OwnQuestionnaireResponse = z.object(combined(response, { crisisHelp: z.nullable(CrisisHelp) }));

/** The answer to a write. */
export const WrittenQuestionnaireResponse = z.object(
  combined(response, { crisisHelp: z.nullable(CrisisHelp), outcome: WriteOutcome }),
);
/** A value of a plot. */
export const QuestionnaireScoreValue = z.object({
  /** Of the correction, if the response was corrected. */
  responseId: Id,
  questionnaireId: Id,
  scoreId: z.string(),
  value: z.nullable(z.number()),
  bandId: z.nullable(z.string()),
  /** When the first response was completed, also for a corrected value. */
  completedAt: Timestamp,
});

const LocalDate = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'must be a date such as 2026-11-22'));

export const OccurrenceQuestionnaire = z.object({
  questionnaireId: Id,
  /** Null if no version of it is published. */
  version: z.nullable(Id),
  status: z.enum(occurrenceStatuses),
  responseId: z.nullable(Id),
});

export const OccurrenceWindow = z.object({ from: LocalDate, to: LocalDate });

export const QuestionnaireOccurrence = z.object({
  occurrenceId: Id,
  bundleId: Id,
  title: QuestionnaireTexts,
  entitlementId: z.nullable(Id),
  /** Includes both ends; null: always open. */
  window: z.nullable(OccurrenceWindow),
  status: z.enum(occurrenceStatuses),
  questionnaires: z.array(OccurrenceQuestionnaire),
});

/**
 * How a flag ends. Only `cleared` says that the patient can go on with a sleep window: `referred` and `not-reached` leave
 * it suspended, and can be followed by `cleared`.
 */
export const flagOutcomes = ['cleared', 'referred', 'not-reached'] as const;

export const FlagOutcome = z.enum(flagOutcomes);

export const QuestionnaireFlag = z.object({
  flagId: Id,
  code: z.string(),
  userId: Id,
  responseId: Id,
  questionnaireId: Id,
  raisedAt: Timestamp,
  /** When the patient wrote the answers: it can be days before they arrived. */
  recordedAt: Timestamp,
  /** When the answers arrived here. */
  receivedAt: Timestamp,
  acknowledgedAt: z.nullable(Timestamp),
  acknowledgedBy: z.nullable(Id),
  /** How it ended; null until somebody has recorded it. */
  outcome: z.nullable(FlagOutcome),
  endedAt: z.nullable(Timestamp),
  endedBy: z.nullable(Id),
});
