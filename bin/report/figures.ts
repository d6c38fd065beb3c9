import type { Row } from '../analytics/engine.ts';

/** The figures of the report, computed from the answers to the questions. Pure. */

/** How many people had agreed to a version at a time. `place` is the version's place in its agreement; the first is 0. */
export type ConsentPoint = {
  readonly at: Date;
  readonly agreement: string;
  readonly version: string;
  readonly place: number;
  readonly people: number;
};

type AdherencePoint = { readonly week: number; readonly people: number; readonly percent: number };

type ScorePoint = {
  readonly score: string;
  readonly week: number;
  readonly responses: number;
  readonly mean: number;
  readonly deviation: number;
};

type VersionPoint = { readonly week: Date; readonly version: string; readonly devices: number };

export type Figures = {
  readonly consents: readonly ConsentPoint[];
  readonly adherence: readonly AdherencePoint[];
  readonly scores: readonly ScorePoint[];
  /** In the last half year. */
  readonly versions: readonly VersionPoint[];
  readonly earlierDevices: number;
  /** Groups that are too small to be shown. */
  readonly leftOut: number;
};

/** A mean of fewer people says too much about each of them. */
export const leastPeople = 5;

const dayMs = 86_400_000;

/** The times at which consents are counted, the last one at `until`: every week, or every few weeks for a long time. */
export function momentsOf(first: Date, until: Date, most = 60): Date[] {
  const weeks = Math.ceil((until.getTime() - first.getTime()) / (7 * dayMs));
  const step = Math.max(1, Math.ceil(weeks / most)) * 7 * dayMs;
  const moments: Date[] = [];
  for (let at = until.getTime(); at > first.getTime() - step; at -= step) moments.unshift(new Date(at));
  return moments;
}

/** @param answers the rows of `active-consents` at each time */
export function consentPoints(
  answers: readonly { readonly at: Date; readonly rows: readonly Row[] }[],
): ConsentPoint[] {
  const known = new Map<string, { agreement: string; version: string; place: number }>();
  const places = new Map<string, number>();
  for (const row of answers.flatMap(({ rows }) => rows)) {
    const [agreement, version] = [String(row.agreement_id), String(row.version_id)];
    const key = JSON.stringify([agreement, version]);
    if (known.has(key)) continue;
    const place = places.get(agreement) ?? 0;
    known.set(key, { agreement, version, place });
    places.set(agreement, place + 1);
  }
  // A count of 0 is a point too. Without it, the area would go straight to the next point.
  return answers.flatMap(({ at, rows }) =>
    [...known.values()].map(({ agreement, version, place }) => {
      const row = rows.find((each) => each.agreement_id === agreement && each.version_id === version);
      return { at, agreement, version, place, people: Number(row?.people ?? 0) };
    }),
  );
}

type Rows = Readonly<Record<'adherence' | 'scores' | 'versions', readonly Row[]>>;

export function figuresOf(consents: readonly ConsentPoint[], { adherence, scores, versions }: Rows): Figures {
  const weeks = adherence.map((row) => ({
    week: Number(row.therapy_week),
    people: Number(row.people),
    percent: 100 * Number(row.adherence),
  }));
  const means = scores.map((row) => ({
    score: `${row.questionnaire_id} ${row.questionnaire_version}: ${row.score_id}`,
    week: Number(row.therapy_week),
    responses: Number(row.responses),
    mean: Number(row.mean_score),
    deviation: Number(row.standard_deviation ?? 0),
  }));
  const shownWeeks = weeks.filter(({ people }) => people >= leastPeople);
  const shownMeans = means.filter(({ responses }) => responses >= leastPeople);
  const byWeek = new Map<string, VersionPoint>();
  for (const row of versions) {
    const [week, version] = [String(row.renewed_week), String(row.app_version)];
    const key = JSON.stringify([week, version]);
    const devices = (byWeek.get(key)?.devices ?? 0) + Number(row.devices);
    byWeek.set(key, { week: new Date(`${week}T00:00:00Z`), version, devices });
  }
  const all = [...byWeek.values()];
  const newest = Math.max(...all.map(({ week }) => week.getTime()));
  const isRecent = ({ week }: VersionPoint) => week.getTime() > newest - 26 * 7 * dayMs;
  const earlier = all.filter((point) => !isRecent(point));
  return {
    consents,
    adherence: shownWeeks,
    scores: shownMeans,
    versions: all.filter(isRecent),
    earlierDevices: earlier.reduce((sum, { devices }) => sum + devices, 0),
    leftOut: weeks.length - shownWeeks.length + means.length - shownMeans.length,
  };
}
