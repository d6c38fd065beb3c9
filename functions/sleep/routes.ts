import * as z from 'zod/mini';
import { envelope } from '../../lib/contract/collection.ts';
import { PreconditionFailed, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { CalendarDate, pathDate, QueryInstant, Timestamp, WriteOutcome } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, joined, read, replace } from '../../lib/contract/uses.ts';
import {
  SleepEntryNotFound,
  SleepMeasurementNeeded,
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
  WrittenSleepEntry,
} from './schemas.ts';
import { SleepEntries, SleepEpisodes, SleepinessSigns, SleepWindowRuns, SleepWindows } from './tables.ts';
import { factUses } from './uses.ts';

export * from './patient-routes.ts';

const ofEntry = z.object({ date: pathDate(SleepEntryNotFound) });

export const putSleepEntry = route({
  method: 'PUT',
  path: '/sleep/entries/{date}',
  summary: "Writes the caller's diary of one night",
  description:
    'The date is the date of waking up, in `zone`, at most 30 days ago. Repeating the request changes nothing. If ' +
    'two phones write, the entry with the later `recordedAt` stays, in whatever order they arrive. With ' +
    '`If-Match` the write replaces the entry that has this `ETag`. The answer is the entry that is stored ' +
    'afterwards; its `outcome` is `superseded` if a later entry stays. Seconds are cut off. A night without sleep ' +
    'has `slept: false`, and only the times in bed. `naps` can also be a list of `{start, end}`. A nap is on the date ' +
    'or on the day before, and outside of the time in bed. It counts in `totalSleep24hMinutes` and in the ' +
    'regularity, not for the sleep window. ' +
    '`noddedOff: true` suspends the sleep window at once, and stays known even if the entry is corrected or deleted, ' +
    'or refused because of another field. An entry that says so again, with other content or another `recordedAt`, ' +
    'suspends the window that was released in between, too; the same request sent again does not.' +
    ' Together: `inBedAt` ≤ `lightsOffAt` ≤ `finalWakeAt` ≤ `outOfBedAt`, within 24 hours; `finalWakeAt` (without sleep `outOfBedAt`) is on the date; `sleepOnsetMinutes` and `wakeMinutes` leave time for sleep; `wakeMinutes` is 0 where `awakenings` is 0; `tryingToSleepAfterWakeMinutes` fits between `finalWakeAt` and `outOfBedAt`; a nap ends after it begins, and none overlap; night and naps have 24 hours at most.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: [read(SleepEntries), append(SleepEntries), read(SleepinessSigns), append(SleepinessSigns)],
  // The app makes the date. So an invalid date is a mistake of the app, and not an entry that is missing.
  params: z.object({ date: CalendarDate }),
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: SleepEntryBody,
  etag: true,
  response: WrittenSleepEntry,
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
    'even if there was no entry to delete. An entry that was recorded later stays: `deleted` is false, and ' +
    '`outcome` is `superseded`.',
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
    outcome: WriteOutcome,
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
  cursor: 'date',
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
    'from beginning to end. At most 50 episodes are stored for a date: further ones are `left-out`.' +
    ' Together: `endAt` is after `startAt`, by 24 hours at most; stages are within the episode, in order, and do not overlap.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: [batch(SleepEpisodes), read(SleepEpisodes), replace(SleepEpisodes)],
  body: z.object({ episodes: z.array(SleepEpisodeInput).check(z.minLength(1), z.maxLength(100)) }),
  response: envelope(SleepEpisodeResult),
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
    'now, after the screening. `tonight.text` says what to do while the window is suspended, or while something ' +
    'speaks against a first one, and after it has ended with the entitlement. Reading changes nothing.',
  applications: ['sleepcare'],
  auth: readOwnSleep,
  uses: factUses,
  headers: language,
  response: SleepWindowState,
  errors: [],
});

export const releaseOwnSleepWindow = route({
  method: 'POST',
  path: '/sleep/window/release',
  summary: 'Releases the sleep window that is proposed for the caller, if a screening replaces the physician',
  description:
    'Possible if the programme permits it, the screening was completed in the last 28 days, none of its answers ' +
    'requires a physician, and sleepiness and mood were asked in time (`release.measurements`). A repeated request ' +
    'gets the window that was released, or 409 if it is suspended by then.',
  applications: ['sleepcare'],
  auth: writeOwnSleep,
  uses: joined(factUses, [append(SleepWindows), append(SleepWindowRuns)]),
  headers: language,
  body: OwnSleepWindowRelease,
  response: SleepWindow,
  errors: [
    SleepWindowNotDue,
    SleepWindowChanged,
    SleepWindowSuspended,
    SleepWindowByPhysician,
    SleepScreeningNeeded,
    SleepMeasurementNeeded,
  ],
});
