/** What patients must read, word by word, in both languages. Not taken from the product: a changed word fails a walk. */

export const languages = ['de', 'en'] as const;

export type Language = (typeof languages)[number];

const months = {
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
};

/** `2026-11-05` as people write it: 5. November 2026, 5 November 2026. */
function dateIn(language: Language, date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  const name = months[language][(month ?? 1) - 1];
  return language === 'de' ? `${day}. ${name} ${year}` : `${day} ${name} ${year}`;
}

const de = {
  paused:
    'Ihr Schlaffenster ist pausiert. Gehen Sie heute Abend zu Bett, wenn Sie schläfrig sind, und bleiben Sie so lange im Bett wie vor der Therapie; Ihre Aufstehzeit können Sie beibehalten. Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind. Wenn Sie tagsüber einnicken oder wenn die Schläfrigkeit länger als eine Woche anhält, gehen Sie zu einer Ärztin oder einem Arzt.',
  lookFirst: 'Wir möchten, dass sich zuerst jemand Ihre Antworten ansieht.',
  seen: 'Jemand hat Ihre Antworten gesehen.',
  ended:
    'Ihr Programm ist zu Ende und damit auch Ihr Schlaffenster. Sie können ab jetzt länger im Bett bleiben: jede Woche 15 Minuten mehr, solange Ihr Schlaf gut bleibt. Wenn Sie wieder schlechter schlafen, gehen Sie zur Zeit im Bett der Woche davor zurück. Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind.',
  measurementDue:
    'Bitte beantworten Sie den Fragebogen zur Tagesschläfrigkeit. Ohne eine Antwort aus den letzten 21 Tagen wird Ihr Schlaffenster pausiert.',
  missing: 'Der Fragebogen zur Tagesschläfrigkeit wurde zu lange nicht beantwortet.',
  sleepy: 'Nach Ihren Antworten sind Sie tagsüber zu schläfrig für ein Schlaffenster.',
  answerNow:
    'Bitte beantworten Sie jetzt den Fragebogen zur Tagesschläfrigkeit. Er hilft zu entscheiden, ob ein Schlaffenster folgen kann.',
  over: 'Ihr letztes Schlaffenster ist mit Ihrem früheren Programm zu Ende gegangen. Sie haben zurzeit kein Schlaffenster. Gehen Sie heute Abend zu Bett, wenn Sie schläfrig sind. Fahren Sie nicht Auto und bedienen Sie keine Maschinen, solange Sie schläfrig sind. Wenn Sie tagsüber einnicken oder wenn die Schläfrigkeit länger als eine Woche anhält, gehen Sie zu einer Ärztin oder einem Arzt.',
  notResumed:
    'Das Schlaffenster wurde wegen Schläfrigkeit pausiert. Es beginnt nicht wieder: Das nächste wird wie ein erstes berechnet.',
  sleepyAgain:
    'Das Schlaffenster wurde wiederholt wegen Schläfrigkeit pausiert. Das nächste wird ärztlich freigegeben.',
  byPhysician: 'Das Schlaffenster wird ärztlich freigegeben.',
  screeningNeeded: 'Zuerst sind die Sicherheitsfragen zu beantworten. Die Antworten gelten 28 Tage.',
  measurementNeeded: 'Zuerst sind die Fragebögen zur Tagesschläfrigkeit und zur Stimmung zu beantworten.',
  proposed: 'Ein Schlaffenster ist für Sie vorgeschlagen. Bitte sehen Sie es sich an und geben Sie es frei.',
  weekNotOver: 'Die Woche des jetzigen Fensters ist noch nicht vorbei.',
  noDiary: 'Das Tagebuch braucht 5 Nächte aus sieben Tagen.',
  tooFewNights: 'Weniger als 5 der letzten sieben Tage haben einen Eintrag.',
  first: 'Das erste Schlaffenster ist so lang wie der Schlaf der Woche im Mittel.',
  longer: 'Mindestens 90 % der Zeit im Bett war Schlaf: 15 Minuten mehr als zuvor.',
  same: 'Zwischen 80 und 90 % der Zeit im Bett war Schlaf: Das Fenster bleibt so lang wie zuvor.',
  shorter: 'Weniger als 80 % der Zeit im Bett war Schlaf: 15 Minuten weniger als zuvor.',
  physicianLooks: 'Von selbst beginnt kein Fenster: Eine Ärztin oder ein Arzt sieht den Vorschlag an und gibt ihn frei',
  nobodyLooks: 'in diesem Programm sieht keine Ärztin und kein Arzt\nden Vorschlag an.',
  start: (until: string) => `„Fragebögen zu Beginn“ können Sie bis zum ${dateIn('de', until)} beantworten.`,
  ess: (until: string) => `„Schläfrigkeit am Tag“ können Sie bis zum ${dateIn('de', until)} beantworten.`,
  mood: (until: string) =>
    `„Stimmung in den letzten zwei Wochen“ können Sie bis zum ${dateIn('de', until)} beantworten.`,
  sixWeeks: (until: string) => `„Fragebögen nach sechs Wochen“ können Sie bis zum ${dateIn('de', until)} beantworten.`,
  twelveWeeks: (until: string) =>
    `„Fragebogen nach zwölf Wochen“ können Sie bis zum ${dateIn('de', until)} beantworten.`,
  course: (until: string) => `„Fragebogen zu Ihrem Schlaf“ können Sie bis zum ${dateIn('de', until)} beantworten.`,
};

export type Says = typeof de;

const en: Says = {
  paused:
    'Your sleep window is paused. Tonight go to bed when you are sleepy and stay in bed as long as before the therapy; you may keep your rising time. Do not drive or operate machines while you are sleepy. If you doze off by day, or for longer than a week, see a physician.',
  lookFirst: 'We would like somebody to look at your answers first.',
  seen: 'Somebody has seen your answers.',
  ended:
    'Your programme has ended, and your sleep window has ended with it. You can stay in bed longer from now on: 15 minutes more each week, while your sleep holds. If you sleep worse again, go back to the time in bed of the week before. Do not drive or operate machines while you are sleepy.',
  measurementDue:
    'Please answer the questionnaire on sleepiness by day. Without an answer of the last 21 days your sleep window is paused.',
  missing: 'The questionnaire on sleepiness by day has not been answered for too long.',
  sleepy: 'By your answers you are too sleepy by day for a sleep window.',
  answerNow:
    'Please answer the questionnaire on sleepiness by day now. It helps to decide whether a sleep window can follow.',
  over: 'Your last sleep window ended with your earlier programme. You have no sleep window at present. Tonight go to bed when you are sleepy. Do not drive or operate machines while you are sleepy. If you doze off by day, or for longer than a week, see a physician.',
  notResumed:
    'The sleep window was paused because of sleepiness. It does not begin again: the next one is computed like a first one.',
  sleepyAgain: 'Sleepiness paused the sleep window repeatedly. A physician releases the next one.',
  byPhysician: 'A physician releases the sleep window.',
  screeningNeeded: 'The screening is needed first. Its answers count for 28 days.',
  measurementNeeded: 'The questionnaires on sleepiness by day and on mood are needed first.',
  proposed: 'A sleep window is proposed for you. Please look at it and release it.',
  weekNotOver: 'The week of the present window is not over.',
  noDiary: 'The diary needs 5 nights of seven days.',
  tooFewNights: 'Fewer than 5 of the last seven days have an entry.',
  first: 'The first window is as long as the sleep of the week, on average.',
  longer: 'At least 90 % of the time in bed was sleep: 15 minutes more than before.',
  same: 'From 80 to 90 % of the time in bed was sleep: the window stays as long as before.',
  shorter: 'Less than 80 % of the time in bed was sleep: 15 minutes less than before.',
  physicianLooks: 'No window starts by itself: a physician looks at the proposal and releases it',
  nobodyLooks: 'in this programme no physician looks\nat the proposal.',
  start: (until) => `You can answer “Questionnaires at the start” until ${dateIn('en', until)}.`,
  ess: (until) => `You can answer “Sleepiness by day” until ${dateIn('en', until)}.`,
  mood: (until) => `You can answer “Mood in the last two weeks” until ${dateIn('en', until)}.`,
  sixWeeks: (until) => `You can answer “Questionnaires after six weeks” until ${dateIn('en', until)}.`,
  twelveWeeks: (until) => `You can answer “Questionnaire after twelve weeks” until ${dateIn('en', until)}.`,
  course: (until) => `You can answer “Questionnaire on your sleep” until ${dateIn('en', until)}.`,
};

export const says: Readonly<Record<Language, Says>> = { de, en };
