import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, check, discard, get, joined, read } from '../../lib/contract/uses.ts';
import { dataSharing } from '../product.ts';
import { readPatients } from '../questionnaire-responses/permissions.ts';
import { UserNotFound } from '../users/errors.ts';
import {
  SleepMeasurementNotConfirmed,
  SleepSuspensionNotConfirmed,
  SleepWindowChanged,
  SleepWindowNotDue,
  SleepWindowSuspended,
} from './errors.ts';
import { releaseSleepWindows } from './permissions.ts';
import { daysOfEntries, daysOfReport, daysOfSummary, language } from './request-schemas.ts';
import {
  SleepEntry,
  SleepReport,
  SleepSummary,
  SleepWindow,
  SleepWindowRelease,
  SleepWindowState,
  SleepWindowWithdrawal,
} from './schemas.ts';
import { SleepEntries, SleepEpisodes, SleepWindowRuns, SleepWindows } from './tables.ts';
import { factUses } from './uses.ts';

/** The routes by which physicians read their patients' sleep data, and decide about sleep windows. */

const ofPatient = z.object({ userId: pathId(UserNotFound) });

const decides = [append(SleepWindows), get(Accounts), check(Accounts)] as const;

const care = { param: 'userId', relation: 'care', consent: dataSharing } as const;

export const listSleepEntriesOfPatient = route({
  method: 'GET',
  path: '/users/{userId}/sleep/entries',
  summary: "A patient's diary, by date",
  description: 'As the patient gets it.',
  applications: ['medinfo'],
  auth: readPatients,
  dataSubject: care,
  uses: [read(SleepEntries)],
  params: ofPatient,
  query: daysOfEntries,
  defaultLimit: 100,
  cursor: 'date',
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
  dataSubject: care,
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
  dataSubject: care,
  uses: factUses,
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
    'prescribes other times before the week of the present window is over; a new week begins. `confirmNotAnswered` ' +
    'names the questionnaires that are not answered in time (`release.measurements`). Sleepiness, mood and the ' +
    'screening do not stop a physician: the release ends that suspension. With `replaces`, `suspensionId` says which ' +
    'suspension the physician has seen. A repeated request gets the window that was released, unless it is suspended by then.' +
    ' Together: either `proposalId` or `replaces`; beside `replaces`, `minutes` or `risingTime`.',
  applications: ['medinfo'],
  auth: releaseSleepWindows,
  dataSubject: care,
  uses: joined(factUses, joined(decides, [append(SleepWindowRuns)])),
  params: ofPatient,
  headers: language,
  body: SleepWindowRelease,
  response: SleepWindow,
  errors: [
    UserNotFound,
    SleepWindowNotDue,
    SleepWindowChanged,
    SleepWindowSuspended,
    SleepMeasurementNotConfirmed,
    SleepSuspensionNotConfirmed,
  ],
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
  dataSubject: care,
  uses: joined(factUses, joined(decides, [discard(SleepWindowRuns)])),
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
  dataSubject: care,
  uses: joined(factUses, [read(SleepEpisodes)]),
  params: ofPatient,
  query: daysOfReport,
  headers: z.object({ accept: z.optional(z.string()), 'accept-language': z.optional(z.string()) }),
  alternatives: ['text/html'],
  response: SleepReport,
  errors: [UserNotFound],
});
