import { createHash } from 'node:crypto';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { put, query, remove } from '../../../lib/runtime/rows.ts';
import { canonicalTimeZone } from '../../users/rules.ts';
import type { Range } from '../rules/dates.ts';
import {
  type Episode,
  type EpisodeInput,
  type EpisodeRow,
  episodeOf,
  type IdRow,
  packedStages,
} from '../rules/episode.ts';
import type { SleepEpisodes } from '../tables.ts';

/** Table `SleepEpisodes`. */

export type Outcome = 'stored' | 'unchanged' | 'replaced' | 'left-out';

/** An episode to be written, with its id. */
type Draft = {
  readonly idKey: string;
  readonly input: EpisodeInput;
  readonly episode: Episode;
  readonly fingerprint: string;
};

/**
 * The limit for one date: more than all sources and naps need, and few enough for a fast summary. Parallel calls can
 * exceed it a little.
 */
const mostOfDate = 50;

type Decided = { readonly draft: Draft; readonly before: IdRow | null; readonly outcome: Outcome };

/** A transaction can have 100 items: three for each episode, and those that the runtime adds. */
const mostInTransaction = 30;

function draftOf(stated: EpisodeInput): Draft {
  const input = { ...stated, zone: canonicalTimeZone(stated.zone) };
  const id = createHash('sha256').update(input.sourceId).digest('hex').slice(0, 32);
  const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  return { idKey: `id#${input.source}#${id}`, input, episode: episodeOf(input), fingerprint };
}

function keyOf(date: string, idKey: string): string {
  return `${date}#${idKey.slice('id#'.length)}`;
}

/**
 * Stores each episode once, even if several calls send it. A changed episode replaces the stored one. After a crash in
 * the middle, a repeated call stores the rest.
 *
 * @param inputs at most 100; if two have the same id, the last one counts
 * @returns the outcome for each id, by `keyOfInput`
 * @throws a Failure `UNAVAILABLE` if the contention lasts longer than the attempts
 */
export async function writeEpisodes(
  table: SleepEpisodes<'batchGet' | 'query' | 'put' | 'remove'>,
  { userId, inputs, now }: { userId: string; inputs: readonly EpisodeInput[]; now: Date },
): Promise<ReadonlyMap<string, { outcome: Outcome; date: string }>> {
  const drafts = [...new Map(inputs.map(draftOf).map((draft) => [draft.idKey, draft])).values()];
  const outcomes = new Map<string, { outcome: Outcome; date: string }>();
  for (let from = 0; from < drafts.length; from += mostInTransaction) {
    const chunk = drafts.slice(from, from + mostInTransaction);
    const written = await retryOnContention(async () => {
      const known = await readIds(table, userId, chunk);
      const found = chunk.map((draft) => ({ draft, before: known.get(draft.idKey) ?? null }));
      const room = await readRoom(
        table,
        userId,
        new Set(found.filter(isNewOnDate).map(({ draft }) => draft.episode.date)),
      );
      const decided = found.map((each): Decided => ({ ...each, outcome: outcomeOf(each, room) }));
      const items = decided.flatMap((each) => itemsOf(table, userId, each, now));
      if (items.length > 0 && !(await commit(items))) return contended;
      return decided;
    });
    for (const { draft, outcome } of written) {
      outcomes.set(keyOfInput(draft.input), { outcome, date: draft.episode.date });
    }
  }
  return outcomes;
}

/** The key that identifies an episode. */
export function keyOfInput({ source, sourceId }: Pick<EpisodeInput, 'source' | 'sourceId'>): string {
  return `${source} ${sourceId}`;
}

async function readIds(table: SleepEpisodes<'batchGet'>, userId: string, drafts: readonly Draft[]) {
  const keys = drafts.map(({ idKey }) => ({ userId, episodeKey: idKey }));
  const rows = await batchGet<IdRow>(table, keys);
  return new Map(rows.map((row) => [row.episodeKey, row]));
}

type EpisodeBefore = Pick<Decided, 'draft' | 'before'>;

function isNewOnDate({ draft, before }: EpisodeBefore): boolean {
  return before?.date !== draft.episode.date;
}

/** How many more episodes each date can have. */
async function readRoom(table: SleepEpisodes<'query'>, userId: string, dates: ReadonlySet<string>) {
  const counted = [...dates].map(async (date) => {
    const { Count = 0 } = await query(table, { ...onDates({ userId, from: date, to: date }), Select: 'COUNT' });
    return [date, mostOfDate - Count] as const;
  });
  return new Map(await Promise.all(counted));
}

/** @param room of each date; new episodes use it up, in the order of the request */
function outcomeOf(found: EpisodeBefore, room: Map<string, number>): Outcome {
  const { draft, before } = found;
  if (before?.fingerprint === draft.fingerprint) return 'unchanged';
  if (isNewOnDate(found)) {
    const left = room.get(draft.episode.date) ?? 0;
    if (left <= 0) return 'left-out';
    room.set(draft.episode.date, left - 1);
  }
  return before ? 'replaced' : 'stored';
}

function itemsOf(
  table: SleepEpisodes<'put' | 'remove'>,
  userId: string,
  { draft, before, outcome }: Decided,
  now: Date,
): Items {
  const { idKey, input, episode, fingerprint } = draft;
  if (outcome === 'unchanged' || outcome === 'left-out') return [];
  const stillIs = before ? ifUnchanged({ fingerprint: before.fingerprint }) : ifAbsent('userId');
  const episodeKey = keyOf(episode.date, idKey);
  const row = {
    userId,
    episodeKey,
    ...episode,
    zone: input.zone,
    stages: packedStages(input),
    updatedAt: now.toISOString(),
  };
  const moved =
    before && before.date !== episode.date ? [remove(table, { userId, episodeKey: keyOf(before.date, idKey) })] : [];
  return [
    put(table, { userId, episodeKey: idKey, date: episode.date, fingerprint }, stillIs),
    put(table, row),
    ...moved,
  ];
}

/** All episodes that ended on the dates of a range, strongly consistent. */
export async function readEpisodes(
  table: SleepEpisodes<'query'>,
  range: Range & { userId: string },
): Promise<EpisodeRow[]> {
  // A person may write more than `queryAll` takes, and keeps no study's export from the others.
  return Array.fromAsync(queryEach<EpisodeRow>(table, onDates(range)));
}

function onDates({ userId, from, to }: Range & { userId: string }) {
  // After the date, a key has #, which sorts before ~.
  return inPartition({ userId }, { episodeKey: between(from, `${to}~`) });
}
