import * as z from 'zod/mini';
import { PreconditionFailed, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { CalendarDate, pathDate, QueryInstant, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, joined, read, replace } from '../../lib/contract/uses.ts';
import {
  SleepEntryNotFound,
  SleepScreeningNeeded,
  SleepWindowByPhysician,
  SleepWindowChanged,
  SleepWindowNotDue,
  SleepWindowSuspended,
} from './errors.ts';
import { readOwnSleep, writeOwnSleep } from './permissions.ts';
import { daysOfEntries, daysOfSummary, language } from './request-schemas.ts';
import {
  OwnSleepWindowRelease,
  SleepEntry,
  SleepEntryBody,
  SleepEpisodeInput,
  SleepEpisodeResult,
  SleepSummary,
  SleepWindow,
  SleepWindowState,
} from './schemas.ts';
import { SleepEntries, SleepEpisodes, SleepWindows } from './tables.ts';
import { concernUses } from './uses.ts';

export * from './patient-routes.ts';

const ofEntry = z.object({ date: pathDate(SleepEntryNotFound) });

export const putSleepEntry = route({
  method: 'PUT',
  path: '/sleep/entries/{date}',
  summary: "Writes the caller's diary of one night",
  description:
    'By the date of waking up, in `zone`, and up to 30 days back. The same again changes nothing. Of two phones the write ' +
    'with the later `recordedAt` stays, whichever comes last, unless `If-Match` names what it replaces; the answer is ' +
    'what is there then. Seconds are cut off. A night without sleep has `slept: false`, and no other times than those in bed.',
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
    'Idempotent, and also where there is nothing: a write of another phone that was recorded before does not bring the ' +
    'entry back. Where one was recorded later it stays, and `deleted` is false.',
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
  description: 'At most 100 days, both ends counted: one page holds them all unless `limit` says otherwise.',
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
    "By the source's own id: sent twice, an episode is kept once; sent changed, it is replaced. Stages have the names of " +
    'their source. Overlapping episodes are all kept; for the summary one of them counts: the one whose stages are told ' +
    'apart, then the one with more sleep, then HealthKit before Health Connect before Fitbit. A session of Health Connect ' +
    'without stages is sleep as a whole. A date keeps 50 episodes: further ones are `left-out`.',
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
    'At most 366 days. Means and standard deviations of the diary, and of devices beside them; a week begins on Monday, and ' +
    'the first and the last period are cut off where the range is. A night without sleep counts with no sleep and an ' +
    'efficiency of 0, and is left out of falling asleep and lying awake.',
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
    'As it was released, with the rules and the week that it rests on. `release` says who releases the next one, and ' +
    '`proposal` is what the patient can release now, after the screening. To read it changes nothing.',
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
  summary:
    'Releases the sleep window that is proposed for the caller, where a screening takes the place of a physician',
  description:
    'Where the programme says so, the screening was completed in the last 28 days and none of its answers leads to a physician. ' +
    'The same again answers the window that was released.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: joined([read(SleepEntries), read(SleepWindows), append(SleepWindows)], concernUses),
  headers: language,
  body: OwnSleepWindowRelease,
  response: SleepWindow,
  errors: [SleepWindowNotDue, SleepWindowChanged, SleepWindowSuspended, SleepWindowByPhysician, SleepScreeningNeeded],
});
