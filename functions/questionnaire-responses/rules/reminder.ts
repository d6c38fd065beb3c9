import { addDays, type Moment, type Occurrence, type Texts } from '../../questionnaires/rules.ts';

/** When a patient is reminded of questionnaires, and with which text. Pure. A push about it has none of this text. */

/** Reminders are sent between these hours of the patient's clock, so that nobody is woken. */
const remindFromHour = 9;
const remindBeforeHour = 21;

export function isReminderHour(hour: number): boolean {
  return hour >= remindFromHour && hour < remindBeforeHour;
}

/** A reminder that was sent: of which occurrence, when, and on which of the patient's own dates. */
export type Sent = {
  readonly occurrenceId: string;
  readonly at: string;
  readonly date: string;
  /** The last day of the occurrence. */
  readonly until: string;
};

/** `revision` counts the messages; 0 before the first. */
export type SentRow = { readonly revision: number; readonly sent: readonly Sent[] };
/** When the user was reminded of an occurrence. */
export type Reminded = { readonly remindedAt: string };

/** Where the last incomplete run stopped: the bundle (or the list of runs), the date, and the last user it processed. */
export type ReminderPosition = {
  readonly bundleId: string;
  /** The date of the entitlements' start, or the month of the runs' start. */
  readonly date: string;
  /** The last entitlement or run that was processed; null: before the first. */
  readonly last: string | null;
};
/** Null if the next run begins at the start. */
export type PositionRow = { readonly position: ReminderPosition | null };

/** The number of messages. A message can be about several occurrences. */
const mostInAWeek = 2;
const weekDays = 7;

/** Whether the patient got as many messages in these seven days as are sent in a week. Tomorrow was today in an earlier zone; later was planted. */
export function hasHadEnough(sent: readonly Sent[], today: string): boolean {
  const [since, until] = [addDays(today, 1 - weekDays), addDays(today, 1)];
  return new Set(sent.filter(({ date }) => date >= since && date <= until).map(({ at }) => at)).size >= mostInAWeek;
}

/** What is stored after a message: what is over and older than the week is left out. */
export function sentAfter(
  sent: readonly Sent[],
  occurrences: readonly Occurrence[],
  { date: today, instant }: Moment,
): Sent[] {
  const since = addDays(today, -weekDays);
  const kept = sent.filter(({ date, until }) => date >= since || until >= since);
  const added = occurrences.map(({ occurrenceId, window }) => {
    return { occurrenceId, at: instant, date: today, until: window?.to ?? today };
  });
  return [...kept, ...added];
}

type Language = 'de' | 'en';
type Message = { readonly title: string; readonly body: string };

const titles: Readonly<Record<Language, string>> = { de: 'Fragebögen für Sie', en: 'Questionnaires for you' };

const lines: Readonly<Record<Language, (name: string, to: string) => string>> = {
  de: (name, to) => `„${name}“ können Sie bis zum ${to} beantworten.`,
  en: (name, to) => `You can answer “${name}” until ${to}.`,
};

/** Dates as people write them: 5 March 2027, 5. März 2027. */
const formats: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  de: formatOf('de-DE'),
  en: formatOf('en-GB'),
};

function formatOf(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** One message about all these occurrences. */
export function reminderOf(occurrences: readonly Occurrence[], locale: string | null): Message {
  const language: Language = locale?.toLowerCase().split('-')[0] === 'de' ? 'de' : 'en';
  const body = occurrences.map(({ bundle, window }) => {
    const to = window ? formats[language].format(new Date(`${window.to}T00:00:00Z`)) : '';
    return lines[language](nameOf(bundle.title, language), to);
  });
  // The bundles of two programmes can have the same name and last day.
  return { title: titles[language], body: [...new Set(body)].join('\n') };
}

function nameOf(title: Texts, language: Language): string {
  const wanted = Object.keys(title).find((locale) => locale.toLowerCase().split('-')[0] === language);
  return title[wanted ?? ''] ?? Object.values(title)[0] ?? '';
}
