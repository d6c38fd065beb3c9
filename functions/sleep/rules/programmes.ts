import type { ReleaseWay } from './release.ts';

/**
 * What an entitlement unlocks, by programme: data. Questionnaires come by the bundles that name the programme themselves, so
 * that there is one list of them.
 */

export type ProgrammeContent = {
  readonly courseIds: readonly string[];
  /** Whether the diary is to be written each morning. */
  readonly asksForDiary: boolean;
  /** Who releases sleep windows: a physician, or the patient after a screening that excludes nothing. */
  readonly release: ReleaseWay;
  /** The instruments that can hold or suspend a sleep window. Without their wording the programme is not published. */
  readonly gate: readonly string[];
};

const gate = ['ess', 'phq-9', 'sleep-window-screening'] as const;

export const programmeContents: Readonly<Record<string, ProgrammeContent>> = {
  'insomnia-basic': { courseIds: ['sleep-basics'], asksForDiary: true, release: 'physician', gate },
  'insomnia-self-guided': { courseIds: ['sleep-basics'], asksForDiary: true, release: 'screening', gate },
};

/** How these programmes release sleep windows; a programme that is not known leaves it to a physician. */
export function waysOf(programmeIds: readonly string[]): ReleaseWay[] {
  return programmeIds.map((programmeId) =>
    Object.hasOwn(programmeContents, programmeId)
      ? (programmeContents[programmeId]?.release ?? 'physician')
      : 'physician',
  );
}

/** Those with a physician come first: if somebody is in two programmes, a physician decides, and the texts say so. */
export function programmesWith(courseId: string): string[] {
  return Object.entries(programmeContents)
    .filter(([, { courseIds }]) => courseIds.includes(courseId))
    .toSorted(([, one], [, other]) => Number(other.release === 'physician') - Number(one.release === 'physician'))
    .map(([programmeId]) => programmeId);
}

/** The courses of all programmes: which of them are a patient's own is known later. */
export const coursesOfProgrammes: readonly string[] = [
  ...new Set(Object.values(programmeContents).flatMap(({ courseIds }) => courseIds)),
];
