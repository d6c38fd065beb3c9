import type { Measured } from './measurements.ts';
import { excludes, type Held, needsPhysician, type Screened } from './release.ts';
import { type Answered, isNewSign, latestAnswer, latestSign, type Reading } from './signs.ts';
import type { SleepWindow } from './window.ts';
import type { WindowRules } from './window-rules.ts';

/**
 * Answers about mood, and of the screening, because of which a window that the patient released waits for a physician,
 * whatever the patient answers later. Pure.
 */

/** A version of an answer, with the latest correction of it. */
export type Corrected = Answered & {
  readonly version: string;
  readonly corrected: { readonly responseId: string; readonly value: number | null };
};

/** When the latest sign of each kind arrived. */
export type HeldSigns = Pick<SleepWindow, 'lowMoodAt' | 'excludedAt'>;

const any = { counts: () => true, backMs: 0 };

export function moodReading(rules: WindowRules): Reading {
  return { ...any, isSign: (value) => needsPhysician(value, rules) };
}

export const screeningReading: Reading = { ...any, isSign: (excluding) => excludes({ excluding }) };

/** @param versions newest first */
export function moodOf(
  versions: readonly Corrected[],
  rules: WindowRules,
): Pick<Measured, 'depression'> & Pick<HeldSigns, 'lowMoodAt'> {
  const reading = moodReading(rules);
  const latest = latestAnswer(versions, reading);
  const value = latest?.corrected.value ?? null;
  return {
    depression: latest && value !== null ? { value, completedAt: latest.writtenAt } : null,
    lowMoodAt: latestSign(versions, reading),
  };
}

/** @param versions newest first */
export function screenedOf(
  versions: readonly Corrected[],
): { readonly screened: Screened | null } & Pick<HeldSigns, 'excludedAt'> {
  const latest = latestAnswer(versions, screeningReading);
  return { screened: latest && screenedBy(latest), excludedAt: latestSign(versions, screeningReading) };
}

function screenedBy({ version, writtenAt, corrected }: Corrected): Screened {
  return { responseId: corrected.responseId, version, completedAt: writtenAt, excluding: corrected.value };
}

/** Why only a physician can release the next window: such a sign came after the patient's release of the last one. */
export function heldBy(last: SleepWindow | null, { lowMoodAt, excludedAt }: HeldSigns): Held[] {
  if (last === null || last.isWithdrawn || last.by !== 'screening') return [];
  return [
    ...(isNewSign(excludedAt, last.excludedAt, last) ? (['SCREENING_EXCLUDES'] as const) : []),
    ...(isNewSign(lowMoodAt, last.lowMoodAt, last) ? (['MOOD_NEEDS_PHYSICIAN'] as const) : []),
  ];
}
