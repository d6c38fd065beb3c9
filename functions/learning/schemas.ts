import * as z from 'zod/mini';
import { combined, Id, Locale, Sha256, Timestamp, WriteOutcome } from '../../lib/contract/fields.ts';
import { sleepWindowStatuses } from '../sleep/schemas.ts';

/** What a patient is shown of courses. */

/** By BCP 47 language tag. */
export const LearningTexts = z.record(Locale, z.string());

const wholeNumber = z.int().check(z.gte(0));
const time = z.nullable(Timestamp);

export const LearningLock = z.object({
  kind: z.enum(['entitlement', 'unit', 'day', 'questionnaire']),
  /** Of the unit that has to be completed before. */
  unitId: z.nullable(Id),
  /** Of the programme, as in `ProgrammeTerm`: 0 is the first day of its first entitlement that ever began. */
  day: z.nullable(wholeNumber),
  /** Of the patient's own calendar, where there is an entitlement. */
  date: z.nullable(z.iso.date()),
  questionnaireId: z.nullable(Id),
});

const locks = z.array(LearningLock);

export const LearningUnlock = z.object({ unitId: Id, lockedBy: locks });

const standing = {
  unitsTotal: wholeNumber,
  unitsCompleted: wholeNumber,
  /** The first unit that is unlocked and not completed. */
  nextUnitId: z.nullable(Id),
  /** The first unit that is locked, and by what. */
  unlocksNext: z.nullable(LearningUnlock),
};

const course = {
  courseId: Id,
  version: Id,
  title: LearningTexts,
  description: LearningTexts,
  requiresEntitlement: z.boolean(),
};

export const LearningCourseSummary = z.object(combined(course, standing));

/** Until `expiresAt`, anybody who has this link can read the file. */
export const LearningFile = z.object({
  url: z.string(),
  expiresAt: Timestamp,
  contentType: z.string(),
  sizeBytes: wholeNumber,
  sha256: Sha256,
});

const unitType = z.enum(['text', 'video', 'audio', 'quiz']);

export const LearningUnitSummary = z.object({
  unitId: Id,
  type: unitType,
  title: LearningTexts,
  minutes: wholeNumber,
  isUnlocked: z.boolean(),
  lockedBy: locks,
  percent: wholeNumber,
  completedAt: time,
});

export const LearningModule = z.object({
  moduleId: Id,
  title: LearningTexts,
  isUnlocked: z.boolean(),
  lockedBy: locks,
  /** A ZIP of all its units for offline use. Null while something other than its own units locks any of them. */
  package: z.nullable(LearningFile),
  units: z.array(LearningUnitSummary),
});

export const LearningCourse = z.object(
  combined(course, standing, { locale: Locale, modules: z.array(LearningModule) }),
);

export const LearningQuizScore = z.object({ score: wholeNumber, maxScore: wholeNumber });

const unitProgress = {
  unitId: Id,
  courseId: Id,
  position: z.number(),
  percent: wholeNumber,
  completedAt: time,
  /** Of a quiz that is completed; it says nothing of progress. */
  quiz: z.nullable(LearningQuizScore),
  updatedAt: Timestamp,
};

export const LearningUnitProgress = z.object(unitProgress);

/** The answer to a write. */
export const WrittenUnitProgress = z.object(combined(unitProgress, { outcome: WriteOutcome }));

export const LearningCourseProgress = z.object({
  courseId: Id,
  units: z.array(LearningUnitProgress),
  updatedAt: Timestamp,
});

export const LearningOption = z.object({ value: Id, text: LearningTexts });

export const LearningQuestion = z.object({
  questionId: Id,
  text: LearningTexts,
  /** Whether more than one option can be chosen. */
  isMultiple: z.boolean(),
  options: z.array(LearningOption),
});

export const LearningQuestionResult = z.object({
  questionId: Id,
  isCorrect: z.boolean(),
  correctValues: z.array(Id),
  explanation: LearningTexts,
});

export const LearningQuizResult = z.object({
  /** Of the course whose questions were answered. */
  version: Id,
  score: wholeNumber,
  maxScore: wholeNumber,
  questions: z.array(LearningQuestionResult),
});

export const LearningUnit = z.object({
  unitId: Id,
  courseId: Id,
  moduleId: Id,
  version: Id,
  type: unitType,
  title: LearningTexts,
  minutes: wholeNumber,
  /** Of the files. */
  locale: Locale,
  /** The programme for which the text was written; null if the text is the same in all programmes. */
  programmeId: z.nullable(Id),
  /** Markdown without HTML; its links are https. */
  text: z.nullable(LearningFile),
  media: z.nullable(LearningFile),
  /** WebVTT. */
  subtitles: z.nullable(LearningFile),
  /** None but of a quiz; the right answers come with the result. */
  questions: z.array(LearningQuestion),
  result: z.nullable(LearningQuizResult),
  progress: z.nullable(LearningUnitProgress),
});

export const CompletedLearningUnit = z.object({
  progress: LearningUnitProgress,
  result: z.nullable(LearningQuizResult),
  outcome: WriteOutcome,
});

export const LearningAnswer = z.object({
  questionId: Id,
  values: z.array(Id).check(z.maxLength(10)),
});

export const ProgrammeTerm = z.object({
  entitlementId: Id,
  programmeId: Id,
  startsAt: Timestamp,
  endsAt: Timestamp,
  /** Today's, of the patient's own calendar: 0 is the first day of the first entitlement of the programme that ever began. */
  day: wholeNumber,
  courseIds: z.array(Id),
});

export const DiaryTask = z.object({
  /** The wake date that it is about. */
  date: z.iso.date(),
  status: z.enum(['missing', 'written']),
});

export const QuestionnaireTask = z.object({
  occurrenceId: Id,
  bundleId: Id,
  title: LearningTexts,
  status: z.enum(['due', 'in-progress']),
  /** The last date on which it can be answered. */
  until: z.iso.date(),
  /** Those that are not completed yet. */
  questionnaireIds: z.array(Id),
});

export const UnitTask = z.object({
  unitId: Id,
  courseId: Id,
  type: unitType,
  title: LearningTexts,
  minutes: wholeNumber,
  percent: wholeNumber,
});

export const WindowTask = z.object({
  kind: z.enum(['paused', 'ended', 'measurement-due', 'screening-due', 'proposal-to-release']),
  /** To be shown to the patient. */
  text: z.string(),
  /** The questionnaires that the patient can answer for it. */
  questionnaireIds: z.array(Id),
});

/** `GET /sleep/window` has the window itself. */
export const WindowTasks = z.object({ status: z.enum(sleepWindowStatuses), tasks: z.array(WindowTask) });

export const Programme = z.object({
  /** The patient's own. */
  date: z.iso.date(),
  programmes: z.array(ProgrammeTerm),
  /** Null: no programme of the patient asks for a diary. */
  diary: z.nullable(DiaryTask),
  /** Null: there is no sleep window, and nothing to do for one. */
  window: z.nullable(WindowTasks),
  questionnaires: z.array(QuestionnaireTask),
  /** Of each course of the programmes the next unit that is unlocked. */
  units: z.array(UnitTask),
});
