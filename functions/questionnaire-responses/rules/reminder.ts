import type { Occurrence, ReminderKind } from '../../questionnaires/rules/bundle.ts';
import type { Texts } from '../../questionnaires/rules/definition.ts';

/** The text on the agent board about a due questionnaire. Pure. A push about it has none of this text. */

type Language = 'de' | 'en';
type Message = { readonly title: string; readonly body: string };

const messages: Readonly<Record<ReminderKind, Readonly<Record<Language, (name: string, to: string) => Message>>>> = {
  start: {
    de: (name, to) => ({ title: 'Fragebögen für Sie', body: `„${name}“ können Sie bis zum ${to} beantworten.` }),
    en: (name, to) => ({ title: 'Questionnaires for you', body: `You can answer “${name}” until ${to}.` }),
  },
  end: {
    de: (name, to) => ({ title: 'Noch bis morgen', body: `„${name}“ können Sie noch bis zum ${to} beantworten.` }),
    en: (name, to) => ({ title: 'Until tomorrow', body: `You can still answer “${name}” until ${to}.` }),
  },
};

export function reminderOf({ bundle, window }: Occurrence, kind: ReminderKind, locale: string | null): Message {
  const language: Language = locale?.toLowerCase().split('-')[0] === 'de' ? 'de' : 'en';
  const to = window?.to ?? '';
  const [year = '', month = '', day = ''] = to.split('-');
  return messages[kind][language](nameOf(bundle.title, language), language === 'de' ? `${day}.${month}.${year}` : to);
}

function nameOf(title: Texts, language: Language): string {
  const wanted = Object.keys(title).find((locale) => locale.toLowerCase().split('-')[0] === language);
  return title[wanted ?? ''] ?? Object.values(title)[0] ?? '';
}

/** Reminders are sent from this hour of the patient's clock on, so that nobody is woken. */
export const remindFromHour = 9;
