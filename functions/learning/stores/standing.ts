import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { readEntitlements } from '../../access-codes/exports.ts';
import { hasCompleted } from '../../questionnaire-responses/exports.ts';
import type { QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import { readLocaleAndZone } from '../../questionnaires/exports.ts';
import type { LocaleAndZone } from '../../questionnaires/rules.ts';
import { defaultZone, localDate } from '../../questionnaires/rules.ts';
import { programmesWith } from '../../sleep/rules.ts';
import type { Users } from '../../users/tables.ts';
import { type Course, type PublishedCourse, questionnairesIn } from '../rules/course.ts';
import { type CourseProgress, completedIn } from '../rules/progress.ts';
import { entitlementAt, type Facts } from '../rules/unlock.ts';
import type { Courses, LearningProgress } from '../tables.ts';
import { readCurrent, readVersion } from './course-rows.ts';
import { readProgress } from './progress-rows.ts';

/** What decides on what is unlocked for a user. None of it needs the time: that is applied when it is there. */

export type TermTables = Parameters<typeof readEntitlements>[0];
export type AnswerTables = { readonly QuestionnaireResponses: QuestionnaireResponses<'query'> };
type PersonTables = TermTables & { readonly Users: Users<'get'> };
type CourseTables = AnswerTables & { readonly Courses: Courses<'get'> };
type StandingTables = PersonTables & CourseTables & { readonly LearningProgress: LearningProgress<'get'> };

/** The tables that a function reads, and whose rows. */
export type TablesOfUser<Tables> = { readonly tables: Tables; readonly userId: string };

type Entitlements = Awaited<ReturnType<typeof readEntitlements>>;

/** Of the user, whatever the course. */
export type Person = {
  readonly entitlements: Entitlements;
  readonly localeAndZone: LocaleAndZone;
};

export type Standing = Person & {
  readonly course: PublishedCourse;
  readonly progress: CourseProgress | null;
  readonly answered: ReadonlySet<string>;
};

export async function readPerson({ tables, userId }: TablesOfUser<PersonTables>): Promise<Person> {
  const [entitlements, localeAndZone] = await Promise.all([
    readTerms(tables, userId),
    readLocaleAndZone(tables.Users, userId),
  ]);
  return { entitlements, localeAndZone };
}

/** Of each its start and end count; the status, which would need the time, is not looked at. */
export async function readTerms(tables: TermTables, userId: string): Promise<Entitlements> {
  return readEntitlements(tables, { userId, now: new Date() });
}

/** @returns null where no course of this id is published */
export async function readStanding(deps: TablesOfUser<StandingTables>, courseId: string): Promise<Standing | null> {
  const { tables, userId } = deps;
  const withAnswers = async () => {
    const course = await readCurrent(tables.Courses, courseId);
    return course && { course, answered: await readAnswered(deps, [course]) };
  };
  const [person, found, progress] = await Promise.all([
    readPerson(deps),
    withAnswers(),
    readProgress(tables.LearningProgress, { userId, courseId }),
  ]);
  return found && { ...person, ...found, progress };
}

/** By the rules of another version, which a phone may have; null where there is none. */
export async function inVersion(
  deps: TablesOfUser<CourseTables>,
  current: Standing,
  version: string,
): Promise<Standing | null> {
  const { courseId, version: known } = current.course;
  if (version === known) return current;
  const course = await readVersion(deps.tables.Courses, { courseId, version });
  return course && { ...current, course, answered: await readAnswered(deps, [course]) };
}

/** Which of the questionnaires that courses wait for the user has completed: a Query for each. */
export async function readAnswered(
  { tables, userId }: TablesOfUser<AnswerTables>,
  courses: readonly PublishedCourse[],
): Promise<Set<string>> {
  const wanted = [...new Set(courses.flatMap((course) => questionnairesIn(course)))];
  const found = await mapWithConcurrency(wanted, 8, async (questionnaireId) => {
    const isThere = await hasCompleted(tables.QuestionnaireResponses, { userId, questionnaireId });
    return isThere ? [questionnaireId] : [];
  });
  return new Set(found.flat());
}

/** @param at that of what a phone recorded, or now */
export function factsAt(
  { entitlements, localeAndZone, answered }: Person & Pick<Standing, 'answered'>,
  { courseId }: Pick<Course, 'courseId'>,
  progress: CourseProgress | null,
  at: Date,
): Facts {
  const zone = localeAndZone.timezone ?? defaultZone;
  return {
    today: localDate(at, zone),
    entitlement: entitlementAt(entitlements, programmesWith(courseId), at, zone),
    begunUnits: new Set(Object.keys(progress?.units ?? {})),
    completedUnits: completedIn(progress),
    completedQuestionnaires: answered,
  };
}
