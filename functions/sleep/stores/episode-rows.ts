import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { committed, type Items } from '../../../lib/runtime/write-latest.ts';
import { canonicalTimeZone } from '../../users/rules/profile.ts';
import type { Range } from '../rules/dates.ts';
import { type Episode, type EpisodeInput, episodeOf, packedStages } from '../rules/episode.ts';

/** Table `SleepEpisodes`. */

type IdRow = { episodeKey: string; date: string; fingerprint: string };

export type Outcome = 'stored' | 'unchanged' | 'replaced';

/** An episode by its id, as it is to be written. */
type Draft = {
  readonly idKey: string;
  readonly input: EpisodeInput;
  readonly episode: Episode;
  readonly fingerprint: string;
};

/** A transaction takes 100 items: three of each episode, and what the runtime adds. */
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
 * Keeps each episode once, whichever calls bring it, and takes a changed one in the place of what was there. After a crash in
 * the middle the same call does the rest.
 *
 * @param inputs at most 100; of two with one id the last counts
 * @returns what became of each id, by `keyOfInput`
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function writeEpisodes(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, inputs, now }: { userId: string; inputs: readonly EpisodeInput[]; now: Date },
): Promise<ReadonlyMap<string, { outcome: Outcome; date: string }>> {
  const drafts = [...new Map(inputs.map(draftOf).map((draft) => [draft.idKey, draft])).values()];
  const outcomes = new Map<string, { outcome: Outcome; date: string }>();
  for (let from = 0; from < drafts.length; from += mostInTransaction) {
    const chunk = drafts.slice(from, from + mostInTransaction);
    const written = await retryOnContention(async () => {
      const known = await readIds(client, table, userId, chunk);
      const decided = chunk.map((draft) => ({ draft, before: known.get(draft.idKey) ?? null }));
      const items = decided.flatMap(({ draft, before }) => itemsOf(table, userId, draft, before, now));
      if (items.length > 0 && !(await committed(client, items))) return contended;
      return decided;
    });
    for (const { draft, before } of written) {
      outcomes.set(keyOfInput(draft.input), { outcome: outcomeOf(draft, before), date: draft.episode.date });
    }
  }
  return outcomes;
}

/** By which one is known again. */
export function keyOfInput({ source, sourceId }: Pick<EpisodeInput, 'source' | 'sourceId'>): string {
  return `${source} ${sourceId}`;
}

async function readIds(client: DynamoDBDocumentClient, table: string, userId: string, drafts: readonly Draft[]) {
  const keys = drafts.map(({ idKey }) => ({ userId, episodeKey: idKey }));
  const rows = await batchGet<IdRow>(client, table, keys);
  return new Map(rows.map((row) => [row.episodeKey, row]));
}

function outcomeOf({ fingerprint }: Draft, before: IdRow | null): Outcome {
  if (!before) return 'stored';
  return before.fingerprint === fingerprint ? 'unchanged' : 'replaced';
}

function itemsOf(table: string, userId: string, draft: Draft, before: IdRow | null, now: Date): Items {
  const { idKey, input, episode, fingerprint } = draft;
  if (outcomeOf(draft, before) === 'unchanged') return [];
  const stillIs = before
    ? { ConditionExpression: 'fingerprint = :read', ExpressionAttributeValues: { ':read': before.fingerprint } }
    : { ConditionExpression: 'attribute_not_exists(userId)' };
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
    before && before.date !== episode.date
      ? [{ Delete: { TableName: table, Key: { userId, episodeKey: keyOf(before.date, idKey) } } }]
      : [];
  return [
    { Put: { TableName: table, Item: { userId, episodeKey: idKey, date: episode.date, fingerprint }, ...stillIs } },
    { Put: { TableName: table, Item: row } },
    ...moved,
  ];
}

/** All that ended on the dates of a range, strongly consistent. */
export async function readEpisodes(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, from, to }: Range & { userId: string },
): Promise<Episode[]> {
  return queryAll<Episode>(client, {
    TableName: table,
    KeyConditionExpression: 'userId = :userId AND episodeKey BETWEEN :from AND :to',
    // A date's keys go on with #, which sorts before ~.
    ExpressionAttributeValues: { ':userId': userId, ':from': from, ':to': `${to}~` },
  });
}
