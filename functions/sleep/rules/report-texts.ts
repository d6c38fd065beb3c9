import type { Language } from './texts.ts';

/** The texts of the printed report, in German and English. */

const texts = {
  title: { en: 'Sleep report', de: 'Schlafbericht' },
  patient: { en: 'Patient', de: 'Patient/in' },
  period: { en: 'Period', de: 'Zeitraum' },
  printed: { en: 'As of', de: 'Stand' },
  source: {
    en: 'From the sleep diary, as the patient wrote it down. Clock times are those of where the patient was.',
    de: 'Aus dem Schlaftagebuch, wie es geschrieben wurde. Uhrzeiten gelten für den Ort, an dem die Person war.',
  },
  summary: { en: 'Summary', de: 'Zusammenfassung' },
  mean: { en: 'Mean', de: 'Mittel' },
  deviation: { en: 'Standard deviation', de: 'Standardabweichung' },
  nights: { en: 'Nights in the diary', de: 'Nächte im Tagebuch' },
  nightsWithoutSleep: { en: 'Nights without sleep', de: 'Nächte ohne Schlaf' },
  timeInBed: { en: 'Time in bed (TIB), min', de: 'Zeit im Bett (TIB), min' },
  totalSleep: { en: 'Total sleep time (TST), min', de: 'Gesamtschlafzeit (TST), min' },
  totalSleep24h: { en: 'Sleep of 24 hours, with naps, min', de: 'Schlaf in 24 Stunden, mit Nickerchen, min' },
  sleepOnset: { en: 'Sleep onset latency (SOL), min', de: 'Einschlafdauer (SOL), min' },
  wake: { en: 'Wake after sleep onset (WASO), min', de: 'Wachzeit nach dem Einschlafen (WASO), min' },
  efficiency: { en: 'Sleep efficiency (TST / TIB), %', de: 'Schlafeffizienz (TST / TIB), %' },
  episodeEfficiency: { en: 'Sleep efficiency (TST / DSE), %', de: 'Schlafeffizienz (TST / DSE), %' },
  midSleep: { en: 'Mid-sleep', de: 'Schlafmitte' },
  quality: { en: 'Quality, 1 to 5', de: 'Qualität, 1 bis 5' },
  regularity: { en: 'Sleep Regularity Index, −100 to 100', de: 'Schlafregelmäßigkeit (SRI), −100 bis 100' },
  device: { en: 'Asleep by devices, min', de: 'Schlaf laut Geräten, min' },
  window: { en: 'Sleep window', de: 'Schlaffenster' },
  noWindow: { en: 'No window was released.', de: 'Es ist kein Fenster freigegeben.' },
  suspended: { en: 'Suspended', de: 'Ausgesetzt' },
  ended: {
    en: 'The programme has ended, and the window with it.',
    de: 'Das Programm ist zu Ende und damit auch das Fenster.',
  },
  notAnswered: { en: 'Not answered in time', de: 'Nicht rechtzeitig beantwortet' },
  since: { en: 'since', de: 'seit' },
  rules: { en: 'rules, version', de: 'Regeln, Version' },
  minutes: { en: 'minutes', de: 'Minuten' },
  diary: { en: 'Diary', de: 'Tagebuch' },
  noEntries: {
    en: 'The diary has no entry of this period.',
    de: 'Das Tagebuch hat in diesem Zeitraum keinen Eintrag.',
  },
  date: { en: 'Date', de: 'Datum' },
  night: { en: 'Noon to noon', de: 'Mittag bis Mittag' },
  inBed: { en: 'In bed', de: 'Im Bett' },
  lightsOff: { en: 'Lights off', de: 'Licht aus' },
  awakenings: { en: 'Awake', de: 'Aufgewacht' },
  finalWake: { en: 'Last woke', de: 'Erwacht' },
  tryingAfterWake: {
    en: 'Trying to sleep after the last waking (TASAFA), min',
    de: 'Versuchte Schlafzeit nach dem letzten Erwachen (TASAFA), min',
  },
  outOfBed: { en: 'Got up', de: 'Aufgestanden' },
  shortQuality: { en: 'Quality', de: 'Qualität' },
  notes: { en: 'Notes', de: 'Notizen' },
  withoutSleep: { en: 'without sleep', de: 'ohne Schlaf' },
  naps: { en: 'Naps', de: 'Nickerchen' },
  medication: { en: 'Medication', de: 'Medikamente' },
  alcohol: { en: 'Alcohol', de: 'Alkohol' },
  caffeine: { en: 'Caffeine', de: 'Koffein' },
  noddedOff: {
    en: 'Nodded off, or nearly, in a dangerous situation',
    de: 'In einer gefährlichen Situation eingenickt oder beinahe',
  },
  legend: {
    en: 'light: in bed, dark: asleep. TASAFA: minutes of trying to sleep after the last waking',
    de: 'hell: im Bett, dunkel: Schlaf. TASAFA: Minuten, in denen nach dem letzten Erwachen Schlaf versucht wurde',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;

export type Label = keyof typeof texts;

export function labelIn(language: Language): (label: Label) => string {
  return (label) => texts[label][language];
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** A date or a number, as it is written in the language. */
export function formatsIn(language: Language) {
  const number = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 2 });
  const date = new Intl.DateTimeFormat(locales[language], {
    timeZone: 'UTC',
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  });
  return {
    number: (value: number | null) => (value === null ? '–' : number.format(value)),
    date: (day: string) => date.format(new Date(`${day}T00:00:00Z`)),
  };
}
