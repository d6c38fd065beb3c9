import type { DueBundle } from '../../questionnaire-responses/rules.ts';
import { localDate } from '../../questionnaires/rules.ts';
import { type ProgrammeContent, programmeContents } from '../../sleep/rules.ts';
import type { PublishedCourse } from './course.ts';
import { type CourseProgress, unitIn } from './progress.ts';
import { nextUnit } from './shown-course.ts';
import { type Facts, firstDayOf } from './unlock.ts';

/** What a patient has to do today. Pure. */

type Entitlement = {
  readonly entitlementId: string;
  readonly programmeId: string;
  readonly startsAt: string;
  readonly endsAt: string;
};

export type Term = Entitlement & { readonly day: number; readonly content: ProgrammeContent };

/** The entitlements that are active, with which day of their programme it is: the one that unlock rules count. */
export function activeTerms(entitlements: readonly Entitlement[], at: Date, zone: string): Term[] {
  const instant = at.toISOString();
  const today = localDate(at, zone);
  return entitlements.flatMap(({ entitlementId, programmeId, startsAt, endsAt }) => {
    if (instant < startsAt || instant >= endsAt || !Object.hasOwn(programmeContents, programmeId)) return [];
    const content = programmeContents[programmeId];
    if (!content) return [];
    const day = daysBetween(firstDayOf(entitlements, [programmeId], at, zone), today);
    return [{ entitlementId, programmeId, startsAt, endsAt, day, content }];
  });
}

function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000);
}

/**
 * The diary of the night that ended today.
 *
 * @param written the wake dates that have an entry
 */
export function diaryTask(terms: readonly Term[], today: string, written: ReadonlySet<string>) {
  if (!terms.some(({ content }) => content.asksForDiary)) return null;
  return { date: today, status: written.has(today) ? ('written' as const) : ('missing' as const) };
}

/** What has a date by which it is to be answered: what is always open is nobody's task of today. */
export function questionnaireTasks(due: readonly DueBundle[]) {
  return due.flatMap(({ occurrenceId, bundleId, title, status, window, questionnaires }) => {
    if (!window || (status !== 'due' && status !== 'in-progress')) return [];
    const open = questionnaires.filter((each) => each.status !== 'completed');
    const questionnaireIds = open.map(({ questionnaireId }) => questionnaireId);
    return [{ occurrenceId, bundleId, title, status, until: window.to, questionnaireIds }];
  });
}

export function unitTasks(
  courses: readonly { course: PublishedCourse; facts: Facts; progress: CourseProgress | null }[],
) {
  return courses.flatMap(({ course, facts, progress }) => {
    const unit = nextUnit(course, facts);
    if (!unit) return [];
    const { unitId, type, title, minutes } = unit;
    const percent = unitIn(progress, unitId)?.percent ?? 0;
    return [{ unitId, courseId: course.courseId, type, title, minutes, percent }];
  });
}
