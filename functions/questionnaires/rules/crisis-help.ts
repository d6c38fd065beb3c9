/** Whom to call in a crisis, by country and language: no answer here is watched in real time, and none replaces a person. */

export type CrisisHelp = {
  readonly country: string;
  readonly notice: string;
  readonly contacts: { readonly name: string; readonly phone: string }[];
};

type Language = 'de' | 'en';
type Contact = { readonly name: Readonly<Record<Language, string>>; readonly phone: string };

const emergency: Contact = { name: { de: 'Notruf', en: 'Emergency call' }, phone: '112' };

/**
 * Germany: https://www.telefonseelsorge.de. Austria: https://www.telefonseelsorge.at (142 is an official emergency number),
 * rescue service 144. Switzerland: https://www.143.ch, ambulance 144. 112: Directive (EU) 2018/1972 Art. 109; it also
 * works in Switzerland.
 */
const contacts: Readonly<Record<string, readonly Contact[]>> = {
  DE: [
    emergency,
    { name: { de: 'TelefonSeelsorge', en: 'TelefonSeelsorge (in German)' }, phone: '0800 1110111' },
    { name: { de: 'TelefonSeelsorge', en: 'TelefonSeelsorge (in German)' }, phone: '0800 1110222' },
    { name: { de: 'TelefonSeelsorge', en: 'TelefonSeelsorge (in German)' }, phone: '116 123' },
  ],
  AT: [emergency, { name: { de: 'Telefonseelsorge', en: 'Telefonseelsorge (in German)' }, phone: '142' }],
  CH: [emergency, { name: { de: 'Die Dargebotene Hand', en: 'Die Dargebotene Hand' }, phone: '143' }],
};

const notices: Readonly<Record<Language, string>> = {
  de: 'Ihre Antworten werden nicht in Echtzeit gelesen. Wenn Sie daran denken, sich etwas anzutun, oder in einer Krise sind, rufen Sie bitte gleich an:',
  en: 'Nobody reads your answers in real time. If you think of harming yourself, or are in a crisis, please call right away:',
};

const countryOfZone: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'DE',
  'Europe/Busingen': 'DE',
  'Europe/Vienna': 'AT',
  'Europe/Zurich': 'CH',
};

/**
 * The country of the zone that the phone is in; else that of the locale; else the number of the European Union. (A German
 * phone in Vienna needs Vienna's number.)
 *
 * @param locale a language tag such as `de-AT`; English where it is not German
 */
export function crisisHelp(locale: string | null, timezone: string | null): CrisisHelp {
  const [language = '', ...more] = (locale ?? '').split('-');
  const region = more.find((part) => /^[A-Za-z]{2}$/.test(part))?.toUpperCase();
  const country = countryOfZone[timezone ?? ''] ?? region ?? 'EU';
  const isKnown = Object.hasOwn(contacts, country);
  const spoken: Language = language.toLowerCase() === 'de' ? 'de' : 'en';
  return {
    country: isKnown ? country : 'EU',
    notice: notices[spoken],
    contacts: (contacts[country] ?? [emergency]).map(({ name, phone }) => ({ name: name[spoken], phone })),
  };
}
