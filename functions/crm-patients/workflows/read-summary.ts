import { readEntitlements } from '../../access-codes/exports.ts';
import { readAllProgress } from '../../learning/exports.ts';
import type { LearningProgress } from '../../learning/tables.ts';
import { readLatestScored } from '../../questionnaire-responses/exports.ts';
import type { QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import { readEntries, readEpisodes } from '../../sleep/exports.ts';
import { latestWeeksOf, rangeOfLatestWeeks } from '../../sleep/rules.ts';
import type { SleepEntries, SleepEpisodes } from '../../sleep/tables.ts';
import { readNewestTickets } from '../../support/exports.ts';
import { isUnsolved, stateAt } from '../../support/rules.ts';
import type { SupportTickets } from '../../support/tables.ts';
import { adherenceOf } from '../rules/adherence.ts';

type PatientSummaryTables = Parameters<typeof readEntitlements>[0] &
  Readonly<{
    readonly QuestionnaireResponses: QuestionnaireResponses<'query'>;
    readonly SleepEntries: SleepEntries<'query'>;
    readonly SleepEpisodes: SleepEpisodes<'query'>;
    readonly LearningProgress: LearningProgress<'query'>;
    readonly SupportTickets: SupportTickets<'query'>;
  }>;

/** Of a patient's tickets so many of the newest are looked at. */
const ticketsLooked = 20;

/** What the page says of a patient, by the readers of the domains, all at once. */
export async function readSummary(tables: PatientSummaryTables, { userId, now }: { userId: string; now: Date }) {
  const range = { userId, ...rangeOfLatestWeeks(now) };
  const [entitlements, scored, rows, episodes, courses, tickets] = await Promise.all([
    readEntitlements(tables, { userId, now }),
    readLatestScored(tables.QuestionnaireResponses, userId),
    readEntries(tables.SleepEntries, range),
    readEpisodes(tables.SleepEpisodes, range),
    readAllProgress(tables.LearningProgress, userId),
    readNewestTickets(tables.SupportTickets, userId, { limit: ticketsLooked, after: null }),
  ]);
  const { summary, lastDate } = latestWeeksOf({ rows, episodes }, now);
  const units = [...courses.values()].flatMap((course) => Object.values(course.units));
  return {
    entitlements,
    adherence: adherenceOf({
      ...{ from: summary.from, to: summary.to, diaryNights: summary.nights, lastDiaryDate: lastDate },
      completed: units.flatMap(({ completedAt }) => (completedAt === null ? [] : [completedAt])),
      responses: scored.map(({ completedAt }) => completedAt),
    }),
    scores: scored.map(({ responseId, questionnaireId, version, completedAt, scores, flags }) => ({
      ...{ responseId, questionnaireId, version, completedAt },
      ...{ scores: scores ?? [], flags },
    })),
    sleep: summary,
    openTickets: tickets.found
      .map((ticket) => ({ ...ticket, state: stateAt(ticket, now) }))
      .filter(isUnsolved)
      .map(({ ticketId, state, priority, createdAt }) => ({ ticketId, state, priority, createdAt })),
  };
}
