import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { readClaims } from '../../questionnaire-responses/exports.ts';
import { keptBundles } from '../../questionnaires/exports.ts';
import { readLatestDates, readWindowRun } from '../../sleep/exports.ts';
import type { PublishedCourse } from '../rules/course.ts';
import { readVersion } from '../stores/course-rows.ts';
import { readHomeRows } from '../stores/home-rows.ts';
import { type Reach, readAnswered, readTerms } from '../stores/standing.ts';

/**
 * What the home screen is made of, in one round trip: one call for all that has a known key, and a Query each for entitlements,
 * answers, the diary and the sleep window.
 * Bundles and versions of courses are the same for everybody, and are kept.
 */
export async function readHome({
  client,
  tables,
  userId,
}: Omit<Reach, 'tables'> & {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Reach['tables'] & {
    readonly Questionnaires: string;
    readonly SleepEntries: string;
    readonly SleepWindows: string;
  };
}) {
  const withCourses = async () => {
    const rows = await readHomeRows(client, tables, userId);
    const found = await mapWithConcurrency(rows.heads, 8, (head) => readVersion(client, tables.Courses, head));
    const courses = found.filter((course): course is PublishedCourse => course !== null);
    return { ...rows, courses, answered: await readAnswered({ client, tables, userId }, courses) };
  };
  const [rows, entitlements, claims, bundles, written, run] = await Promise.all([
    withCourses(),
    readTerms(client, tables, userId),
    readClaims(client, tables.QuestionnaireResponses, userId),
    keptBundles(client, tables.Questionnaires),
    readLatestDates(client, tables.SleepEntries, userId),
    readWindowRun(client, tables.SleepWindows, userId),
  ]);
  return { ...rows, entitlements, claims, bundles, written, run };
}
