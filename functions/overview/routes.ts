import * as z from 'zod/mini';
import { Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { read } from '../../lib/contract/uses.ts';
import { Agreements } from '../agreements/tables.ts';
import { statuses } from '../app-users/schemas.ts';
import { ConsentStatistics } from '../statistics/tables.ts';
import { administerUsers } from '../users/permissions.ts';
import { OverviewFigures } from './tables.ts';

/** `week` is that of ISO 8601 in UTC: `2026-W47`. */
export const WeekCount = z.object({ week: z.string(), count: z.int() });

export const UserStatusCount = z.object({ status: z.enum(statuses), count: z.int() });

export const UserCounts = z.object({
  byStatus: z.array(UserStatusCount),
  /** Those who came in each of the last twelve weeks. */
  byWeek: z.array(WeekCount),
});

export const AgreementCount = z.object({ agreementId: z.string(), agreeing: z.int() });

export const EntitlementCounts = z.object({ active: z.int() });

export const QuestionnaireWeek = z.object({ week: z.string(), due: z.int(), done: z.int() });

export const TicketStateCount = z.object({
  state: z.enum(['new', 'open', 'pending', 'solved', 'closed', 'reopened']),
  count: z.int(),
});

export const Overview = z.object({
  at: Timestamp,
  users: UserCounts,
  consents: z.array(AgreementCount),
  entitlements: EntitlementCounts,
  questionnaires: z.array(QuestionnaireWeek),
  sleepEntries: z.array(WeekCount),
  tickets: z.array(TicketStateCount),
});

export const readOverview = route({
  method: 'GET',
  path: '/admin/overview',
  summary: 'How the service is used: users, consents, entitlements, questionnaires, diary entries, tickets',
  description:
    'The counts follow each event within seconds. Weeks are the last twelve ISO 8601 weeks, in UTC. A ' +
    'questionnaire counts as due in the week in which its patient was reminded of it. An entitlement counts as ' +
    'active from the day on which it begins until the day on which it ends, in UTC.',
  applications: ['medinfo'],
  auth: administerUsers,
  uses: [read(OverviewFigures), read(ConsentStatistics), read(Agreements)],
  response: Overview,
  errors: [],
});
