/** How far a patient does what the programme asks for, in the last four weeks. Pure. */

export type Adherence = {
  readonly from: string;
  readonly to: string;
  readonly diaryNights: number;
  readonly unitsCompleted: number;
  readonly lastDiaryDate: string | null;
  readonly lastUnitAt: string | null;
  readonly lastResponseAt: string | null;
};

type AdherenceFacts = {
  readonly from: string;
  readonly to: string;
  readonly diaryNights: number;
  readonly lastDiaryDate: string | null;
  /** Of all units that were ever completed. */
  readonly completed: readonly string[];
  readonly responses: readonly (string | null)[];
};

/** A unit counts by its date in UTC. */
export function adherenceOf({ from, to, diaryNights, lastDiaryDate, completed, responses }: AdherenceFacts): Adherence {
  const isIn = (at: string) => at.slice(0, 10) >= from && at.slice(0, 10) <= to;
  return {
    ...{ from, to, diaryNights, lastDiaryDate },
    unitsCompleted: completed.filter(isIn).length,
    lastUnitAt: latest(completed),
    lastResponseAt: latest(responses.filter((at) => at !== null)),
  };
}

function latest(times: readonly string[]): string | null {
  return times.toSorted().at(-1) ?? null;
}
