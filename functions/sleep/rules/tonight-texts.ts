import type { Standing } from './standing.ts';
import type { Suspension } from './suspension.ts';
import { currentRules } from './window-rules.ts';

/** What a patient reads about tonight, in German and English. No text says a score. */

export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];

type Text = Readonly<Record<Language, string>>;

const { stepMinutes, sleepiness } = currentRules;

export const lookFirst: Text = {
  en: 'We would like somebody to look at your answers first.',
  de: 'Wir möchten, dass sich zuerst jemand Ihre Antworten ansieht.',
};

export const seenText: Text = {
  en: 'Somebody has seen your answers.',
  de: 'Jemand hat Ihre Antworten gesehen.',
};

export const notReached: Text = {
  en: 'We could not reach you about your answers. Please call your physician or a helpline.',
  de: 'Wir konnten Sie wegen Ihrer Antworten nicht erreichen. Bitte rufen Sie Ihre Ärztin, Ihren Arzt oder ein Krisentelefon an.',
};

/** What comes first after a flag. */
const ofFlags: readonly (readonly [Suspension, Text])[] = [
  ['OPEN_FLAG', lookFirst],
  ['FLAG_SEEN', seenText],
  ['FLAG_NOT_REACHED', notReached],
];

const careful: Text = {
  en:
    'Do not drive or operate machines while you are sleepy. If you doze off by day, or for longer than a week, see a ' +
    'physician.',
  de:
    'Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind. Wenn Sie tagsüber einnicken ' +
    'oder wenn die Schläfrigkeit länger als eine Woche anhält, gehen Sie zu einer Ärztin oder einem Arzt.',
};

const paused: Text = {
  en:
    'Your sleep window is paused. Tonight go to bed when you are sleepy and stay in bed as long as before the ' +
    `therapy; you may keep your rising time. ${careful.en}`,
  de:
    'Ihr Schlaffenster ist pausiert. Gehen Sie heute Abend zu Bett, wenn Sie schläfrig sind, und bleiben Sie so lange ' +
    `im Bett wie vor der Therapie; Ihre Aufstehzeit können Sie beibehalten. ${careful.de}`,
};

const noWindow: Text = {
  en: `You have no sleep window at present. Tonight go to bed when you are sleepy. ${careful.en}`,
  de: `Sie haben zurzeit kein Schlaffenster. Gehen Sie heute Abend zu Bett, wenn Sie schläfrig sind. ${careful.de}`,
};

const over: Text = {
  en: `Your last sleep window ended with your earlier programme. ${noWindow.en}`,
  de: `Ihr letztes Schlaffenster ist mit Ihrem früheren Programm zu Ende gegangen. ${noWindow.de}`,
};

const ended: Text = {
  en:
    'Your programme has ended, and your sleep window has ended with it. You can stay in bed longer from now on: ' +
    `${stepMinutes} minutes more each week, while your sleep holds. If you sleep worse again, go back to the time in ` +
    'bed of the week before. Do not drive or operate machines while you are sleepy.',
  de:
    'Ihr Programm ist zu Ende und damit auch Ihr Schlaffenster. Sie können ab jetzt länger im Bett bleiben: jede Woche ' +
    `${stepMinutes} Minuten mehr, solange Ihr Schlaf gut bleibt. Wenn Sie wieder schlechter schlafen, gehen Sie zur ` +
    'Zeit im Bett der Woche davor zurück. Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind.',
};

const measurementDue: Text = {
  en:
    'Please answer the questionnaire on sleepiness by day. Without an answer of the last ' +
    `${sleepiness.suspendedAfterDays} days your sleep window is paused.`,
  de:
    'Bitte beantworten Sie den Fragebogen zur Tagesschläfrigkeit. Ohne eine Antwort aus den letzten ' +
    `${sleepiness.suspendedAfterDays} Tagen wird Ihr Schlaffenster pausiert.`,
};

type Shown = Pick<Standing, 'status' | 'suspended' | 'isOver'>;

/**
 * Null if the times of the window say all, or if there is none and nothing speaks against one. A window that was paused
 * when it ended stays paused.
 */
export function tonightTextOf({ status, suspended, isOver }: Shown, to: Language): string | null {
  const withoutWindow = isOver ? over : noWindow;
  if (suspended.length > 0) {
    const flags = ofFlags.flatMap(([code, text]) => (suspended.includes(code) ? [text[to]] : []));
    return [...flags, status === 'none' ? withoutWindow[to] : paused[to]].join(' ');
  }
  if (status === 'ended') return ended[to];
  if (status === 'measurement-due') return measurementDue[to];
  return isOver ? over[to] : null;
}
