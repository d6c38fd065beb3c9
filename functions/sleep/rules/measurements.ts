import type { WindowRules } from './window-rules.ts';

/** The questionnaires that must have been answered before a window is released. Pure. */

export type Measured = {
  readonly measuredAt: string | null;
  /** The latest score of the questionnaire on mood, and when the patient wrote it. */
  readonly depression: { readonly value: number; readonly completedAt: string } | null;
};

export type Measurement = {
  readonly questionnaireId: string;
  /** `due`: the answer is too old for a release. */
  readonly status: 'answered' | 'due' | 'not-answered';
  /** When the patient wrote the answer. */
  readonly completedAt: string | null;
};

const dayMs = 86_400_000;

export function isOlder(at: string, days: number, now: Date): boolean {
  return now.getTime() - Date.parse(at) > days * dayMs;
}

export function measurementsOf(
  { measuredAt, depression }: Measured,
  { sleepiness, depression: mood }: WindowRules,
  now: Date,
): Measurement[] {
  const measurement = (questionnaireId: string, completedAt: string | null, days: number): Measurement => {
    if (completedAt === null) return { questionnaireId, status: 'not-answered', completedAt };
    return { questionnaireId, status: isOlder(completedAt, days, now) ? 'due' : 'answered', completedAt };
  };
  return [
    measurement(sleepiness.questionnaireId, measuredAt, sleepiness.beforeReleaseDays),
    measurement(mood.questionnaireId, depression?.completedAt ?? null, mood.validDays),
  ];
}

/** Those that are not answered, or whose answer is too old. */
export function missingOf(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ questionnaireId, status }) => (status === 'answered' ? [] : [questionnaireId]));
}
