import { table } from '../../lib/contract/tables.ts';
import type { Stamp } from '../../lib/runtime/last-write-wins.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { EntryContent } from './rules/entry-content.ts';
import type { EpisodeRow, IdRow } from './rules/episode.ts';
import type { Night } from './rules/night.ts';
import type { SignRow } from './rules/sleepiness.ts';

/** The entry and its computed figures, so that no reader computes them again. A tombstone has null for both. */
export type EntryRow = Stamp & {
  readonly date: string;
  readonly content: EntryContent | null;
  readonly night: Night | null;
};

/** A patient's diary, by the date of waking up: a range of dates is one Query. A deleted entry leaves a tombstone. */
export const SleepEntries = table<EntryRow & { readonly userId: string }>()('SleepEntries', {
  partitionKey: 'userId',
  sortKey: 'date',
  stream: true,
});
export type SleepEntries<A extends Action> = Handle<typeof SleepEntries, A>;

/**
 * The episodes that devices recorded. `<date>#<source>#<hash>` is an episode, by the date on which it ended.
 * `id#<source>#<hash>` says which date this is. The hash is made from the source's own id, so that an episode that is
 * sent again is recognized.
 */
export const SleepEpisodes = table<EpisodeRow | IdRow>()('SleepEpisodes', {
  partitionKey: 'userId',
  sortKey: 'episodeKey',
});
export type SleepEpisodes<A extends Action> = Handle<typeof SleepEpisodes, A>;

/**
 * When a patient's diary said that the patient nodded off: `<time of arrival>#<date>`, each time anew, and for good, whatever the entry
 * says now. The time is the key, so whoever writes the diary can add a sign and date none back.
 */
export const SleepinessSigns = table<SignRow>()('SleepinessSigns', { partitionKey: 'userId', sortKey: 'sign' });
export type SleepinessSigns<A extends Action> = Handle<typeof SleepinessSigns, A>;

export { SleepWindowRuns, SleepWindows } from '../window-runs/tables.ts';
