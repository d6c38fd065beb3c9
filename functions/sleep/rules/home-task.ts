import { missingOf } from './measurements.ts';
import type { Standing, WindowStatus } from './standing.ts';
import { type Language, reasonIn } from './texts.ts';
import { tonightTextOf } from './tonight-texts.ts';
import { currentRules } from './window-rules.ts';

/** What a patient has to do for the sleep window, on the home screen. Pure. */

export type WindowTask = {
  readonly kind: 'paused' | 'ended' | 'measurement-due' | 'screening-due' | 'proposal-to-release';
  readonly text: string;
  /** The questionnaires that the patient can answer for it. */
  readonly questionnaireIds: readonly string[];
};

const proposed = {
  en: 'A sleep window is proposed for you. Please look at it and release it.',
  de: 'Ein Schlaffenster ist für Sie vorgeschlagen. Bitte sehen Sie es sich an und geben Sie es frei.',
};

/** Null if there is no window and nothing to do for one. */
export function windowTasks(
  standing: Standing,
  to: Language,
): { readonly status: WindowStatus; readonly tasks: WindowTask[] } | null {
  const tasks = [...tasksOfWindow(standing, to), ...tasksOfNext(standing, to)];
  if (standing.status === 'none' && tasks.length === 0) return null;
  const seen = new Set<string>();
  // What is due for the window is due for the next one, too.
  const distinct = tasks.filter(({ kind }) => !seen.has(kind) && seen.add(kind));
  return { status: standing.status, tasks: distinct };
}

function tasksOfWindow({ status, suspended }: Standing, to: Language): WindowTask[] {
  const text = tonightTextOf({ status, suspended }, to) ?? '';
  const { questionnaireId } = currentRules.sleepiness;
  const isMissing = suspended.includes('MEASUREMENT_MISSING');
  const measurement: WindowTask[] = isMissing
    ? [{ kind: 'measurement-due', text: reasonIn(to)('MEASUREMENT_MISSING').text, questionnaireIds: [questionnaireId] }]
    : [];
  switch (status) {
    case 'suspended':
      return [{ kind: 'paused', text, questionnaireIds: [] }, ...measurement];
    case 'ended':
      return [{ kind: 'ended', text, questionnaireIds: [] }];
    case 'measurement-due':
      return [{ kind: 'measurement-due', text, questionnaireIds: [questionnaireId] }];
    default:
      return [];
  }
}

/** For the next window, as soon as the diary allows one and the patient is the one who releases it. */
function tasksOfNext({ outlook, releaser, blocking, measurements }: Standing, to: Language): WindowTask[] {
  if (releaser.by !== 'screening' || !outlook.proposal || blocking.screening.length > 0) return [];
  const { questionnaireId } = currentRules.screening;
  const needed = releaser.because.map((code): WindowTask => {
    const { text } = reasonIn(to)(code);
    return code === 'SCREENING_NEEDED'
      ? { kind: 'screening-due', text, questionnaireIds: [questionnaireId] }
      : { kind: 'measurement-due', text, questionnaireIds: missingOf(measurements) };
  });
  return needed.length > 0 ? needed : [{ kind: 'proposal-to-release', text: proposed[to], questionnaireIds: [] }];
}
