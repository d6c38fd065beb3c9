import type { Needed, PhysicianReason } from './release.ts';
import type { Suspension } from './suspension.ts';
import { type Language, languages, lookFirst, notReached, seenText } from './tonight-texts.ts';
import type { Prescription, ReasonCode, Waiting } from './window.ts';
import { currentRules, type KnownRules, rulesByVersion, type StoredRules } from './window-rules.ts';

/** The texts about a sleep window for patients and physicians, in German and English. */

export { type Language, languages };

type Code = ReasonCode | Suspension | Waiting | PhysicianReason | Needed;

type Texts = Readonly<Record<Code, Readonly<Record<Language, string>>>>;

/** With the numbers of a set of rules. */
const textsOf = ({
  nightsNeeded,
  longerFromPercent,
  shorterBelowPercent,
  stepMinutes,
  leastMinutes,
  mostMinutes,
  screening,
}: Omit<StoredRules, 'ages'>): Texts => ({
  FIRST_WINDOW: {
    en: 'The first window is as long as the sleep of the week, on average.',
    de: 'Das erste Schlaffenster ist so lang wie der Schlaf der Woche im Mittel.',
  },
  EFFICIENCY_HIGH: {
    en: `At least ${longerFromPercent} % of the time in bed was sleep: ${stepMinutes} minutes more than before.`,
    de: `Mindestens ${longerFromPercent} % der Zeit im Bett war Schlaf: ${stepMinutes} Minuten mehr als zuvor.`,
  },
  EFFICIENCY_LOW: {
    en: `Less than ${shorterBelowPercent} % of the time in bed was sleep: ${stepMinutes} minutes less than before.`,
    de: `Weniger als ${shorterBelowPercent} % der Zeit im Bett war Schlaf: ${stepMinutes} Minuten weniger als zuvor.`,
  },
  EFFICIENCY_BETWEEN: {
    en: `From ${shorterBelowPercent} to ${longerFromPercent} % of the time in bed was sleep: the window stays as long as before.`,
    de: `Zwischen ${shorterBelowPercent} und ${longerFromPercent} % der Zeit im Bett war Schlaf: Das Fenster bleibt so lang wie zuvor.`,
  },
  AT_LEAST: {
    en: `The rules propose no window below ${leastMinutes / 60} hours.`,
    de: `Die Regeln schlagen kein Fenster unter ${leastMinutes / 60} Stunden vor.`,
  },
  AT_MOST: {
    en: `The rules propose no window above ${mostMinutes / 60} hours.`,
    de: `Die Regeln schlagen kein Fenster über ${mostMinutes / 60} Stunden vor.`,
  },
  KEPT_AS_PRESCRIBED: {
    en: `A physician prescribed a window beyond ${leastMinutes / 60} to ${mostMinutes / 60} hours. The rules take it no further from them: it stays as long as before.`,
    de: `Ärztlich wurde ein Fenster außerhalb von ${leastMinutes / 60} bis ${mostMinutes / 60} Stunden verordnet. Die Regeln entfernen es nicht weiter davon: Es bleibt so lang wie zuvor.`,
  },
  SET_BY_PHYSICIAN: {
    en: 'The physician prescribed other times than those that were proposed.',
    de: 'Ärztlich wurden andere Zeiten verordnet als vorgeschlagen.',
  },
  SLEEPINESS: {
    en: 'By your answers you are too sleepy by day for a sleep window.',
    de: 'Nach Ihren Antworten sind Sie tagsüber zu schläfrig für ein Schlaffenster.',
  },
  NOT_RESUMED: {
    en: 'The sleep window was paused because of sleepiness. It does not begin again: the next one is computed like a first one.',
    de: 'Das Schlaffenster wurde wegen Schläfrigkeit pausiert. Es beginnt nicht wieder: Das nächste wird wie ein erstes berechnet.',
  },
  OPEN_FLAG: lookFirst,
  FLAG_SEEN: seenText,
  FLAG_NOT_REACHED: notReached,
  MOOD_NEEDS_PHYSICIAN: {
    en: 'Your answers about your mood need a physician first.',
    de: 'Ihre Antworten zur Stimmung müssen zuerst ärztlich besprochen werden.',
  },
  SLEEPY_AGAIN: {
    en: 'Sleepiness paused the sleep window repeatedly. A physician releases the next one.',
    de: 'Das Schlaffenster wurde wiederholt wegen Schläfrigkeit pausiert. Das nächste wird ärztlich freigegeben.',
  },
  MEASUREMENT_MISSING: {
    en: 'The questionnaire on sleepiness by day has not been answered for too long.',
    de: 'Der Fragebogen zur Tagesschläfrigkeit wurde zu lange nicht beantwortet.',
  },
  MEASUREMENT_NEEDED: {
    en: 'The questionnaires on sleepiness by day and on mood are needed first.',
    de: 'Zuerst sind die Fragebögen zur Tagesschläfrigkeit und zur Stimmung zu beantworten.',
  },
  SCREENING_EXCLUDES: {
    en: 'An answer of the screening needs a physician: a shorter sleep can be a danger then.',
    de: 'Eine Antwort der Sicherheitsfragen muss ärztlich besprochen werden: Kürzerer Schlaf kann dann gefährlich sein.',
  },
  PROGRAMME_BY_PHYSICIAN: {
    en: 'A physician releases the sleep window.',
    de: 'Das Schlaffenster wird ärztlich freigegeben.',
  },
  UNDER_AGE: {
    en: 'Below the age of 18, or if the year of birth is not stated, a physician releases the sleep window.',
    de: 'Unter 18 Jahren, oder wenn das Geburtsjahr nicht angegeben ist, wird das Schlaffenster ärztlich freigegeben.',
  },
  WITHDRAWN_BY_PHYSICIAN: {
    en: 'A physician took the last sleep window back, and releases the next one.',
    de: 'Das letzte Schlaffenster wurde ärztlich zurückgenommen. Auch das nächste wird ärztlich freigegeben.',
  },
  BEYOND_BOUNDS: {
    en: `Only a physician releases a window below ${leastMinutes / 60} or above ${mostMinutes / 60} hours.`,
    de: `Ein Fenster unter ${leastMinutes / 60} oder über ${mostMinutes / 60} Stunden wird nur ärztlich freigegeben.`,
  },
  SCREENING_NEEDED: {
    en: `The screening is needed first. Its answers count for ${screening.validDays} days.`,
    de: `Zuerst sind die Sicherheitsfragen zu beantworten. Die Antworten gelten ${screening.validDays} Tage.`,
  },
  NO_DIARY: {
    en: `The diary needs ${nightsNeeded} nights of seven days.`,
    de: `Das Tagebuch braucht ${nightsNeeded} Nächte aus sieben Tagen.`,
  },
  TOO_FEW_NIGHTS: {
    en: `Fewer than ${nightsNeeded} of the last seven days have an entry.`,
    de: `Weniger als ${nightsNeeded} der letzten sieben Tage haben einen Eintrag.`,
  },
  WEEK_NOT_OVER: {
    en: 'The week of the present window is not over.',
    de: 'Die Woche des jetzigen Fensters ist noch nicht vorbei.',
  },
});

export type Reason = { code: string; text: string };

export function reasonIn(language: Language, rules: Omit<StoredRules, 'ages'> = currentRules): (code: Code) => Reason {
  const texts = textsOf(rules);
  return (code) => ({ code, text: texts[code][language] });
}

/**
 * Why a window is as it is. The texts use the rules by which the window was made, because later rules have other
 * numbers. An unknown version comes from a release that was rolled back. Its window is explained with the present
 * rules, so that it can be shown.
 */
export function reasonsOf(
  { because, ruleVersion }: Pick<Prescription, 'because' | 'ruleVersion'>,
  language: Language,
  known: KnownRules = rulesByVersion,
): Reason[] {
  return because.map(reasonIn(language, known.get(ruleVersion)));
}
