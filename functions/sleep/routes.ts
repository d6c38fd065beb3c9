import * as z from 'zod/mini';
import { dataSharing } from '../../lib/contract/access.ts';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { CalendarDate, pathDate, pathId, QueryInstant, Timestamp, WantedLocale } from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { readPatients } from '../crm-patients/permissions.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import {
  SleepEntryNotFound,
  SleepScreeningNeeded,
  SleepWindowByPhysician,
  SleepWindowChanged,
  SleepWindowNotDue,
  SleepWindowSuspended,
} from './errors.ts';
import { readOwnSleep, releaseSleepWindows, writeOwnSleep } from './permissions.ts';
import {
  OwnSleepWindowRelease,
  SleepEntry,
  SleepEntryBody,
  SleepEpisodeInput,
  SleepEpisodeResult,
  SleepReport,
  SleepSummary,
  SleepWindow,
  SleepWindowRelease,
  SleepWindowState,
  SleepWindowWithdrawal,
} from './schemas.ts';
import { SleepEntries, SleepEpisodes, SleepWindows } from './tables.ts';

type Days = { from: string; to: string };

/** Both ends counted. */
const isAtMost = ({ from, to }: Days, most: number) => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return days >= 1 && days <= most;
};

const daysOfEntries = z
  .object({ from: CalendarDate, to: CalendarDate })
  .check(
    z.refine<Days>(
      (days) => isAtMost(days, 100),
      issue('inconsistent', 'must not be before from, and 100 days at most', ['to']),
    ),
  );

const daysOfSummary = z
  .object({ from: CalendarDate, to: CalendarDate, by: z.optional(z.enum(['week', 'month'])) })
  .check(
    z.refine<Days>(
      (days) => isAtMost(days, 366),
      issue('inconsistent', 'must not be before from, and 366 days at most', ['to']),
    ),
  );

const language = z.object({ 'accept-language': z.optional(z.string()) });

const ofEntry = z.object({ date: pathDate(SleepEntryNotFound) });

const ofPatient = z.object({ userId: pathId(UserNotFound) });

/** What speaks against a window, and who releases one. */
const concernUses = [read(QuestionnaireResponses), read(QuestionnaireFlags), read(Entitlements)] as const;

const care = { param: 'userId', relation: 'care', consent: dataSharing } as const;

export const putSleepEntry = route({
  method: 'PUT',
  path: '/sleep/entries/{date}',
  summary: "Writes the caller's diary of one night",
  description:
    'The date is the date of waking up, in `zone`, at most 30 days ago. Repeating the request changes nothing. If ' +
    'two phones write, the entry with the later `recordedAt` stays, in whatever order they arrive. With ' +
    '`If-Match` the write replaces the entry that has this `ETag`. The answer is the entry that is stored ' +
    'afterwards. Seconds are cut off. A night without sleep has `slept: false`, and only the times in bed.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: [read(SleepEntries), append(SleepEntries)],
  // The app makes the date: what is none is its mistake, not something that is not there.
  params: z.object({ date: CalendarDate }),
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: SleepEntryBody,
  etag: true,
  response: SleepEntry,
  errors: [ValidationFailed, SleepEntryNotFound, PreconditionFailed],
});

export const readSleepEntry = route({
  method: 'GET',
  path: '/sleep/entries/{date}',
  summary: "The caller's diary of one night",
  applications: ['sleepcare'],
  auth: readOwnSleep,
  uses: [read(SleepEntries)],
  params: ofEntry,
  etag: true,
  response: SleepEntry,
  errors: [SleepEntryNotFound],
});

export const deleteSleepEntry = route({
  method: 'DELETE',
  path: '/sleep/entries/{date}',
  summary: "Deletes the caller's diary of one night",
  description:
    'Idempotent. A write of another phone that was recorded before `recordedAt` does not bring the entry back, ' +
    'even if there was no entry to delete. An entry that was recorded later stays, and `deleted` is false.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: [read(SleepEntries), append(SleepEntries)],
  params: ofEntry,
  query: z.object({ recordedAt: z.optional(QueryInstant) }),
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  response: z.object({
    date: CalendarDate,
    deleted: z.boolean(),
    updatedAt: Timestamp,
    replacedAt: z.nullable(Timestamp),
  }),
  errors: [SleepEntryNotFound, PreconditionFailed],
});

export const listSleepEntries = route({
  method: 'GET',
  path: '/sleep/entries',
  summary: "The caller's diary, by date",
  description: 'At most 100 days, including both ends. One page has them all, unless `limit` is smaller.',
  applications: ['sleepcare'],
  auth: readOwnSleep,
  uses: [read(SleepEntries)],
  query: daysOfEntries,
  defaultLimit: 100,
  items: SleepEntry,
  errors: [],
});

export const postSleepEpisodes = route({
  method: 'POST',
  path: '/sleep/episodes',
  summary: 'Stores nights and naps that devices recorded',
  description:
    "An episode is identified by the source's own id: sent twice, it is stored once; sent again with changes, it " +
    'is replaced. Stages have the names of their source. Overlapping episodes are all stored, but only one of ' +
    'them counts for the summary. An episode with distinct stages is preferred, then the one with more sleep, ' +
    'then HealthKit before Health Connect before Fitbit. A Health Connect session without stages counts as sleep ' +
    'from beginning to end. At most 50 episodes are stored for a date: further ones are `left-out`.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: [batch(SleepEpisodes), read(SleepEpisodes), replace(SleepEpisodes)],
  body: z.object({ episodes: z.array(SleepEpisodeInput).check(z.minLength(1), z.maxLength(100)) }),
  response: z.object({ episodes: z.array(SleepEpisodeResult) }),
  errors: [ValidationFailed],
});

export const readSleepSummary = route({
  method: 'GET',
  path: '/sleep/summary',
  summary: "The figures of the caller's nights, by week or month",
  description:
    'At most 366 days. Means and standard deviations from the diary, and beside them those from devices. A week ' +
    'begins on Monday. The first and the last period contain only the days inside the range. A night without ' +
    'sleep counts with zero sleep and an efficiency of 0, and does not count for the figures of falling asleep ' +
    'and lying awake.',
  applications: ['sleepcare'],
  auth: readOwnSleep,
  uses: [read(SleepEntries), read(SleepEpisodes)],
  query: daysOfSummary,
  response: SleepSummary,
  errors: [],
});

export const readSleepWindow = route({
  method: 'GET',
  path: '/sleep/window',
  summary: "The caller's sleep window, and when the next one can follow",
  description:
    'The window as it was released, with the version of the rules and the week of the diary from which it was ' +
    'computed. `release` says who releases the next window. `proposal` is the window that the patient can release ' +
    'now, after the screening. Reading changes nothing.',
  applications: ['sleepcare'],
  auth: readOwnSleep,
  uses: joined([read(SleepEntries), read(SleepWindows)], concernUses),
  headers: language,
  response: SleepWindowState,
  errors: [],
});

export const releaseOwnSleepWindow = route({
  method: 'POST',
  path: '/sleep/window/release',
  summary: 'Releases the sleep window that is proposed for the caller, if a screening replaces the physician',
  description:
    'Possible if the programme permits it, the screening was completed in the last 28 days, and none of its ' +
    'answers requires a physician. A repeated request gets the window that was released.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: joined([read(SleepEntries), read(SleepWindows), append(SleepWindows)], concernUses),
  headers: language,
  body: OwnSleepWindowRelease,
  response: SleepWindow,
  errors: [SleepWindowNotDue, SleepWindowChanged, SleepWindowSuspended, SleepWindowByPhysician, SleepScreeningNeeded],
});

export const listSleepEntriesOfPatient = route({
  method: 'GET',
  path: '/users/{userId}/sleep/entries',
  summary: "A patient's diary, by date",
  description: 'As the patient gets it.',
  applications: ['medinfo'],
  auth: readPatients,
  about: care,
  uses: [read(SleepEntries)],
  params: ofPatient,
  query: daysOfEntries,
  defaultLimit: 100,
  items: SleepEntry,
  errors: [UserNotFound],
});

export const readSleepSummaryOfPatient = route({
  method: 'GET',
  path: '/users/{userId}/sleep/summary',
  summary: "The figures of a patient's nights, by week or month",
  description: 'As the patient gets it.',
  applications: ['medinfo'],
  auth: readPatients,
  about: care,
  uses: [read(SleepEntries), read(SleepEpisodes)],
  params: ofPatient,
  query: daysOfSummary,
  response: SleepSummary,
  errors: [UserNotFound],
});

export const readSleepWindowOfPatient = route({
  method: 'GET',
  path: '/users/{userId}/sleep/window',
  summary: "A patient's sleep window, and the proposal that follows from the diary",
  description: '`proposal` is the window that can be released now. It is not stored before its release.',
  applications: ['medinfo'],
  auth: readPatients,
  about: care,
  uses: joined([read(SleepEntries), read(SleepWindows)], concernUses),
  params: ofPatient,
  headers: language,
  response: SleepWindowState,
  errors: [UserNotFound],
});

export const releaseSleepWindow = route({
  method: 'POST',
  path: '/users/{userId}/sleep/window/release',
  summary: 'Releases the sleep window that is proposed for a patient, or prescribes another window',
  description:
    'Send the `proposalId` that the physician saw: if the proposal has changed since then, nothing is released. ' +
    '`minutes` and `risingTime` prescribe another window; a window below 300 minutes can only be prescribed in ' +
    'this way. With `replaces` (the `sequence` of the present window) instead of a `proposalId`, the physician ' +
    'prescribes other times before the week of the present window is over; a new week begins. A repeated request ' +
    'gets the window that was released.',
  applications: ['medinfo'],
  auth: releaseSleepWindows,
  about: care,
  uses: joined(
    [read(SleepEntries), read(SleepWindows), append(SleepWindows), get(Accounts), check(Accounts)],
    concernUses,
  ),
  params: ofPatient,
  headers: language,
  body: SleepWindowRelease,
  response: SleepWindow,
  errors: [UserNotFound, SleepWindowNotDue, SleepWindowChanged, SleepWindowSuspended],
});

export const withdrawSleepWindow = route({
  method: 'POST',
  path: '/users/{userId}/sleep/window/withdraw',
  summary: "Withdraws a patient's sleep window",
  description:
    'The request names the present window by its `sequence`. A suspended window can be withdrawn, too. From then ' +
    'on the patient sees no window, and the next proposal is computed like a first window. A repeated request ' +
    'gets the same answer.',
  applications: ['medinfo'],
  auth: releaseSleepWindows,
  about: care,
  uses: [read(SleepEntries), read(SleepWindows), append(SleepWindows), get(Accounts), check(Accounts)],
  params: ofPatient,
  body: z.object({ sequence: z.int().check(z.gte(1)) }),
  response: SleepWindowWithdrawal,
  errors: [UserNotFound, SleepWindowChanged],
});

export const readSleepReportOfPatient = route({
  method: 'GET',
  path: '/users/{userId}/sleep/report',
  summary: "A patient's diary, summary and sleep window: a page to print for the visit",
  description:
    'At most 100 days. With `Accept: text/html` the answer is a page in German or English, by `locale` or ' +
    '`Accept-Language`. The page has no scripts and fetches nothing.',
  applications: ['medinfo'],
  auth: readPatients,
  about: care,
  uses: joined([read(SleepEntries), read(SleepEpisodes), read(SleepWindows)], concernUses),
  params: ofPatient,
  query: z
    .object({ from: CalendarDate, to: CalendarDate, locale: z.optional(WantedLocale) })
    .check(
      z.refine<Days>(
        (days) => isAtMost(days, 100),
        issue('inconsistent', 'must not be before from, and 100 days at most', ['to']),
      ),
    ),
  headers: z.object({ accept: z.optional(z.string()), 'accept-language': z.optional(z.string()) }),
  alternatives: ['text/html'],
  response: SleepReport,
  errors: [UserNotFound],
});
