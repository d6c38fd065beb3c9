import type { Problem } from './diary-entry.ts';
import { type Source, type Stage, sources, stageOf, stages } from './stages.ts';
import { wallTime } from './zone.ts';

/** Nights and naps as a device recorded them. */

export type EpisodeInput = {
  readonly source: Source;
  /** The source's own id of the episode. It identifies an episode that is sent again. */
  readonly sourceId: string;
  readonly zone: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly stages: readonly { readonly stage: string; readonly startAt: string; readonly endAt: string }[];
};

/** The figures for summaries. The rows store them, so that no reader computes them again. */
export type Episode = {
  /** The date on which it ended, by the clock in its zone. */
  readonly date: string;
  readonly source: Source;
  readonly sourceId: string;
  readonly startAt: string;
  readonly endAt: string;
  /** Seconds by stage. */
  readonly seconds: Readonly<Record<Stage, number>>;
};

type EpisodeKey = { readonly userId: string; readonly episodeKey: string };
export type EpisodeRow = EpisodeKey &
  Episode & { readonly zone: string; readonly stages: string; readonly updatedAt: string };
/** On which date an episode ended, by its id. */
export type IdRow = EpisodeKey & { readonly date: string; readonly fingerprint: string };

const dayMs = 86_400_000;
const mostDaysBack = 366;

/** Sources whose sessions may have no stages. Then the whole session counts as sleep. */
const tellsNoStages: readonly Source[] = ['health-connect'];

type StageTime = { readonly stage: Stage; readonly from: number; readonly to: number };

/** In HealthKit's names and milliseconds. */
function knownStages({ source, startAt, endAt, stages: stated }: EpisodeInput): StageTime[] {
  if (stated.length === 0) return [{ stage: 'asleepUnspecified', from: Date.parse(startAt), to: Date.parse(endAt) }];
  return stated.map(({ stage, startAt: from, endAt: to }) => ({
    ...{ from: Date.parse(from), to: Date.parse(to) },
    stage: stageOf(source, stage) ?? 'inBed',
  }));
}

/** @param path of the episode in the request */
export function episodeProblems(episode: EpisodeInput, path: string, now: Date): Problem[] {
  const [start, end] = [Date.parse(episode.startAt), Date.parse(episode.endAt)];
  const problems: Problem[] = [];
  const find = (isWrong: boolean, field: string, code: Problem['code'], message: string) => {
    if (isWrong) problems.push({ path: `${path}.${field}`, code, message });
  };
  find(end <= start, 'endAt', 'inconsistent', 'must be after startAt');
  find(end - start > dayMs, 'endAt', 'inconsistent', 'must be within 24 hours of startAt');
  find(end > now.getTime(), 'endAt', 'too_big', 'must not be in the future');
  find(end < now.getTime() - mostDaysBack * dayMs, 'endAt', 'too_small', `must be ${mostDaysBack} days back at most`);
  const isWhole = episode.stages.length > 0 || tellsNoStages.includes(episode.source);
  find(!isWhole, 'stages', 'too_short', `must have at least one stage; only ${tellsNoStages.join(', ')} may have none`);
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, { stage, startAt, endAt }] of episode.stages.entries()) {
    const at = `stages[${index}]`;
    const [from, to] = [Date.parse(startAt), Date.parse(endAt)];
    const known = stageOf(episode.source, stage);
    find(known === null, `${at}.stage`, 'invalid_value', `must be a name that ${episode.source} has`);
    find(from < start || to > end, at, 'inconsistent', 'must be within the episode');
    find(to <= from, `${at}.endAt`, 'inconsistent', 'must be after startAt');
    // In HealthKit, the time in bed overlaps all other stages.
    if (known === 'inBed') continue;
    find(from < latest, `${at}.startAt`, 'inconsistent', 'must not be before the end of the stage before it');
    latest = Math.max(latest, to);
  }
  return problems;
}

/** @param input an episode without problems */
export function episodeOf(input: EpisodeInput): Episode {
  const { source, sourceId, zone, startAt, endAt } = input;
  const seconds: Record<Stage, number> = {
    inBed: 0,
    asleepUnspecified: 0,
    awake: 0,
    asleepCore: 0,
    asleepDeep: 0,
    asleepREM: 0,
  };
  for (const { stage, from, to } of knownStages(input)) seconds[stage] += Math.round((to - from) / 1000);
  return { date: wallTime(Date.parse(endAt), zone).date, source, sourceId, startAt, endAt, seconds };
}

/**
 * The stages in a few bytes: `3:1800` is half an hour of `asleepCore`. `@` begins a stage that does not follow the
 * previous one directly.
 */
export function packedStages(input: EpisodeInput): string {
  const start = Date.parse(input.startAt);
  let at = start;
  const parts = knownStages(input).map(({ stage, from, to }) => {
    const gap = from === at ? '' : `@${Math.round((from - start) / 1000)}:`;
    at = to;
    return `${gap}${stages.indexOf(stage)}:${Math.round((to - from) / 1000)}`;
  });
  return parts.join(' ');
}

export function asleepSeconds({ seconds }: Pick<Episode, 'seconds'>): number {
  return seconds.asleepUnspecified + seconds.asleepCore + seconds.asleepDeep + seconds.asleepREM;
}

/** The rank of an episode; higher is better: distinct stages, then any sleep, then time in bed. */
function detailOf(episode: Episode): number {
  const { asleepCore, asleepDeep, asleepREM } = episode.seconds;
  if (asleepCore + asleepDeep + asleepREM > 0) return 2;
  return asleepSeconds(episode) > 0 ? 1 : 0;
}

/**
 * The episodes of a date that count. If several overlap, one of them counts: the one with more information, then the
 * one with more sleep, then by source (HealthKit, Health Connect, Fitbit), then the earliest, then by id. An episode
 * that overlaps none of these also counts, such as a nap. The order in which they arrived has no effect.
 */
export function chosenEpisodes(episodes: readonly Episode[]): Episode[] {
  const chosen: Episode[] = [];
  for (const episode of episodes.toSorted(byRank)) {
    const isFree = chosen.every(({ startAt, endAt }) => episode.endAt <= startAt || episode.startAt >= endAt);
    if (isFree) chosen.push(episode);
  }
  return chosen;
}

function byRank(one: Episode, other: Episode): number {
  return (
    detailOf(other) - detailOf(one) ||
    asleepSeconds(other) - asleepSeconds(one) ||
    sources.indexOf(one.source) - sources.indexOf(other.source) ||
    compared(one.startAt, other.startAt) ||
    compared(one.sourceId, other.sourceId)
  );
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
