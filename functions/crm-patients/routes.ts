import * as z from 'zod/mini';
import { Id, Locale, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { batch, get, read } from '../../lib/contract/uses.ts';
import { Entitlement } from '../access-codes/routes.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { SiteNotFound } from '../crm-sites/errors.ts';
import { SitePatients, Sites } from '../crm-sites/tables.ts';
import { LearningProgress } from '../learning/tables.ts';
import { dataSharing } from '../product.ts';
import { readPatients } from '../questionnaire-responses/permissions.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { ScoreResult } from '../questionnaires/schemas.ts';
import { SleepPeriod } from '../sleep/schemas.ts';
import { SleepEntries, SleepEpisodes, SleepWindows } from '../sleep/tables.ts';
import { SupportTickets } from '../support/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { Users } from '../users/tables.ts';

/** What follows `since` is null for a patient who does not consent to `data-sharing`. */
export const PatientLine = z.object({
  userId: z.string(),
  siteId: Id,
  /** Since when the patient is with the site. */
  since: Timestamp,
  /** Since when the patient consents, and to which version. */
  sharedSince: z.nullable(Timestamp),
  versionId: z.nullable(Id),
  email: z.nullable(z.string()),
  locale: z.nullable(Locale),
  timezone: z.nullable(z.string()),
});

export const listPatients = route({
  method: 'GET',
  path: '/crm/patients',
  summary: "The patients of the caller's sites",
  description:
    'One line for each patient and site: a patient who belongs to two of the sites has two lines. The lines are ' +
    'sorted by the ids of the sites. If a patient does not consent to `data-sharing`, only user id, site and date ' +
    'are shown. Patients whose accounts are closed are left out, so a page can have fewer lines than `limit`: ' +
    'only `hasMore` says whether there is another page. Each patient sees that somebody read the list.',
  applications: ['medinfo'],
  auth: readPatients,
  dataSubject: {
    each: 'userId',
    relation: 'care',
    consent: dataSharing,
    withoutConsent: ['userId', 'siteId', 'since'],
  },
  uses: [read(SitePatients), batch(Users)],
  query: z.object({
    /** Only one of the caller's sites. */
    siteId: z.optional(Id),
  }),
  cursor: ['siteId', 'userId'],
  items: PatientLine,
  errors: [SiteNotFound],
});

/** As the patient's own app shows and sets them; null where the app has not stated them, or has not been started yet. */
export const PatientProfile = z.object({
  email: z.nullable(z.string()),
  locale: z.nullable(Locale),
  timezone: z.nullable(z.string()),
});

/** The consent on which the page rests. */
export const PatientConsent = z.object({ agreementId: Id, versionId: Id, recordId: z.string(), agreedAt: Timestamp });

/** A site that the caller and the patient have in common. */
export const PatientSite = z.object({ siteId: Id, name: z.string(), since: Timestamp });

/** In the patient's last four weeks; `last…` is of all time. */
export const PatientAdherence = z.object({
  from: z.string(),
  to: z.string(),
  /** Nights in the diary, of 28. */
  diaryNights: z.int(),
  unitsCompleted: z.int(),
  lastDiaryDate: z.nullable(z.string()),
  lastUnitAt: z.nullable(Timestamp),
  lastResponseAt: z.nullable(Timestamp),
});

/** A questionnaire's latest response, as it stands corrected. */
export const PatientScores = z.object({
  responseId: Id,
  questionnaireId: Id,
  version: Id,
  completedAt: Timestamp,
  scores: z.array(ScoreResult),
  flags: z.array(z.string()),
});

/** What the patient wrote there is for the support. */
export const PatientTicket = z.object({
  ticketId: Id,
  state: z.enum(['new', 'open', 'pending', 'solved', 'closed', 'reopened']),
  priority: z.enum(['low', 'normal', 'high', 'urgent']),
  createdAt: Timestamp,
});

export const readPatient = route({
  method: 'GET',
  path: '/crm/patients/{userId}',
  summary: "A patient of the caller's sites",
  description:
    'Has what the programme unlocked, what the patient completed, the latest score of each questionnaire, the ' +
    'sleep of four weeks, and the open tickets. The scores come from the last twelve responses, the tickets from ' +
    'the last twenty. The patient sees who looked, when, and on which consent.',
  applications: ['medinfo'],
  auth: readPatients,
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: [
    get(Users),
    batch(Sites),
    read(Entitlements),
    read(QuestionnaireResponses),
    read(SleepEntries),
    read(SleepEpisodes),
    read(LearningProgress),
    read(SupportTickets),
  ],
  params: z.object({ userId: pathId(UserNotFound) }),
  response: z.object({
    userId: z.string(),
    profile: PatientProfile,
    sites: z.array(PatientSite),
    consent: PatientConsent,
    entitlements: z.array(Entitlement),
    adherence: PatientAdherence,
    scores: z.array(PatientScores),
    sleep: SleepPeriod,
    openTickets: z.array(PatientTicket),
  }),
  errors: [UserNotFound],
});

/** Where to find something that happened, and not what it says. */
export const PatientEvent = z.object({
  kind: z.enum(['response', 'diary', 'window', 'entitlement', 'unit', 'ticket', 'site']),
  /** A night of the diary is at the beginning of its date. */
  at: Timestamp,
  /** The response, the date of the diary, the number of the sleep window, the entitlement, course and unit, the ticket, the site. */
  eventId: z.string(),
  /** The questionnaire, the programme, the course or the site that it belongs to. */
  subject: z.nullable(z.string()),
});

export const readPatientTimeline = route({
  method: 'GET',
  path: '/crm/patients/{userId}/timeline',
  summary: 'The timeline of a patient, newest first',
  description:
    'Responses, nights of the diary, sleep windows, entitlements, completed units, tickets and the joining of the ' +
    'sites. A page can have fewer entries than `limit`: only `hasMore` says whether there is another page. An ' +
    'entry that is added while somebody reads is on a later page only if it is about an earlier time.',
  applications: ['medinfo'],
  auth: readPatients,
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: [
    read(QuestionnaireResponses),
    read(SleepEntries),
    read(SleepWindows),
    read(Entitlements),
    read(LearningProgress),
    read(SupportTickets),
  ],
  params: z.object({ userId: pathId(UserNotFound) }),
  // Of each kind its place, and the time of what was shown last.
  cursor: ['response?', 'diary?', 'window?', 'entitlement?', 'unit?', 'ticket?', 'site?', 'until?'],
  items: PatientEvent,
  errors: [UserNotFound],
});
