import { readRedemptions } from '../../access-codes/exports.ts';
import type { Entitlements } from '../../access-codes/tables.ts';
import { readAllProgress } from '../../learning/exports.ts';
import type { LearningProgress } from '../../learning/tables.ts';
import { readCompleted } from '../../questionnaire-responses/exports.ts';
import type { QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import { readNewestEntries, readNewestWindows } from '../../sleep/exports.ts';
import type { SleepEntries } from '../../sleep/tables.ts';
import { readNewestTickets } from '../../support/exports.ts';
import type { SupportTickets } from '../../support/tables.ts';
import type { SleepWindows } from '../../window-runs/tables.ts';
import { type Happening, type Kind, merged, type Position, pageOf, type SourcePage } from '../rules/timeline.ts';

export type TimelineTables = Readonly<{
  readonly QuestionnaireResponses: QuestionnaireResponses<'query'>;
  readonly SleepEntries: SleepEntries<'query'>;
  readonly SleepWindows: SleepWindows<'query'>;
  readonly Entitlements: Entitlements<'query'>;
  readonly LearningProgress: LearningProgress<'query'>;
  readonly SupportTickets: SupportTickets<'query'>;
}>;

type TimelineQuery = {
  readonly userId: string;
  /** Those that the caller and the patient have in common. */
  readonly sites: readonly { readonly siteId: string; readonly since: string }[];
  readonly limit: number;
  readonly from: Position;
};

/** A page of all that happened: at once a page of each domain, by the domain's own reader, and no more. */
export async function readTimeline(tables: TimelineTables, asked: TimelineQuery) {
  const { userId, sites, limit, from } = asked;
  const page = (kind: Kind) => ({ limit, after: from[kind] ?? null });
  const [responses, diary, windows, entitlements, units, tickets] = await Promise.all([
    readCompleted(tables.QuestionnaireResponses, userId, {}, page('response')),
    readNewestEntries(tables.SleepEntries, userId, page('diary')),
    readNewestWindows(tables.SleepWindows, userId, page('window')),
    readRedemptions(tables.Entitlements, userId, page('entitlement')),
    readUnits(tables.LearningProgress, userId),
    readNewestTickets(tables.SupportTickets, userId, page('ticket')),
  ]);
  const pages: Record<Kind, SourcePage> = {
    response: {
      found: responses.found.map(({ responseId, questionnaireId, completedAt }) => ({
        place: `at#${completedAt}#${responseId}`,
        event: { kind: 'response', at: completedAt, eventId: responseId, subject: questionnaireId },
      })),
      next: responses.next,
    },
    diary: {
      found: diary.dates.map((date) => ({
        place: date,
        // A night has a date and no time: it is shown where its day begins.
        event: { kind: 'diary', at: `${date}T00:00:00.000Z`, eventId: date, subject: null },
      })),
      next: diary.next,
    },
    window: {
      found: windows.windows.map(({ number, releasedAt, sequence }) => ({
        place: number,
        event: { kind: 'window', at: releasedAt, eventId: String(sequence), subject: null },
      })),
      next: windows.next,
    },
    entitlement: {
      found: entitlements.redeemed.map(({ entitlementId, programmeId, redeemedAt }) => ({
        place: entitlementId,
        event: { kind: 'entitlement', at: redeemedAt, eventId: entitlementId, subject: programmeId },
      })),
      next: entitlements.next,
    },
    unit: pageOf(units, limit, page('unit').after),
    ticket: {
      found: tickets.found.map(({ ticketId, createdAt }) => ({
        place: ticketId,
        event: { kind: 'ticket', at: createdAt, eventId: ticketId, subject: null },
      })),
      next: tickets.next,
    },
    site: pageOf(
      sites.map(({ siteId, since }) => ({ kind: 'site', at: since, eventId: siteId, subject: siteId })),
      limit,
      page('site').after,
    ),
  };
  return merged(pages, { limit, from });
}

/** The completed units: they are in the few rows of the courses. */
async function readUnits(table: LearningProgress<'query'>, userId: string): Promise<Happening[]> {
  const courses = await readAllProgress(table, userId);
  return [...courses.values()].flatMap(({ courseId, units }) =>
    Object.values(units).flatMap(({ unitId, completedAt }) =>
      completedAt === null
        ? []
        : [{ kind: 'unit' as const, at: completedAt, eventId: `${courseId}/${unitId}`, subject: courseId }],
    ),
  );
}
