import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { readClaims } from '../../questionnaire-responses/exports.ts';
import { keptBundles } from '../../questionnaires/exports.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import { readWindowFacts } from '../../sleep/exports.ts';
import { runOf } from '../../window-runs/exports.ts';
import type { PublishedCourse } from '../rules/course.ts';
import { readVersion } from '../stores/course-rows.ts';
import { type HomeTables, readHomeRows } from '../stores/home-rows.ts';
import { type AnswerTables, readAnswered, readTerms, type TablesOfUser, type TermTables } from '../stores/standing.ts';
import type { Courses } from '../tables.ts';

type Tables = HomeTables &
  TermTables &
  AnswerTables &
  Parameters<typeof readWindowFacts>[0] & {
    readonly Courses: Courses<'get'>;
    readonly Questionnaires: Questionnaires<'query'>;
  };

/**
 * What the home screen is made of, in one round trip: one call for all that has a known key, a Query each for entitlements
 * and occurrences, and what the sleep window follows from.
 * Bundles and versions of courses are the same for everybody, and are kept.
 */
export async function readHome({ tables, userId }: TablesOfUser<Tables>) {
  const withCourses = async () => {
    const rows = await readHomeRows(tables, userId);
    const found = await mapWithConcurrency(rows.heads, 8, (head) => readVersion(tables.Courses, head));
    const courses = found.filter((course): course is PublishedCourse => course !== null);
    return { ...rows, courses, answered: await readAnswered({ tables, userId }, courses) };
  };
  const [rows, entitlements, claims, bundles, sleep] = await Promise.all([
    withCourses(),
    readTerms(tables, userId),
    readClaims(tables.QuestionnaireResponses, userId),
    keptBundles(tables.Questionnaires),
    readWindowFacts(tables, userId),
  ]);
  return { ...rows, entitlements, claims, bundles, sleep, run: runOf(userId, sleep.last) };
}
