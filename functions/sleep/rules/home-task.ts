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

const calmNow = {
  en: 'Please answer the questionnaire on sleepiness by day now. It helps to decide whether a sleep window can follow.',
  de:
    'Bitte beantworten Sie jetzt den Fragebogen zur Tagesschläfrigkeit. Er hilft zu entscheiden, ob ein ' +
    'Schlaffenster folgen kann.',
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

function tasksOfWindow(standing: Standing, to: Language): WindowTask[] {
  const { status, suspended, isInProgramme } = standing;
  const text = tonightTextOf(standing, to) ?? '';
  const { questionnaireId } = currentRules.sleepiness;
  const paused = (): WindowTask[] => [{ kind: 'paused', text, questionnaireIds: [] }, ...measurementOf(standing, to)];
  switch (status) {
    case 'none':
      return isInProgramme && suspended.length > 0 ? paused() : [];
    case 'suspended':
      return paused();
    case 'ended':
      return [{ kind: 'ended', text, questionnaireIds: [] }];
    case 'measurement-due':
      return [{ kind: 'measurement-due', text, questionnaireIds: [questionnaireId] }];
    default:
      return [];
  }
}

/** The answer about sleepiness that can end a suspension now. */
function measurementOf({ suspended, canCalm }: Standing, to: Language): WindowTask[] {
  const isMissing = suspended.includes('MEASUREMENT_MISSING');
  if (!isMissing && !canCalm) return [];
  const text = isMissing ? reasonIn(to)('MEASUREMENT_MISSING').text : calmNow[to];
  return [{ kind: 'measurement-due', text, questionnaireIds: [currentRules.sleepiness.questionnaireId] }];
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
