/**
 * Whom to call in a crisis, by country and language. Nobody watches the answers in real time, and no text here replaces
 * a person.
 */

export type CrisisHelp = {
  readonly country: string;
  readonly notice: string;
  /** Each has a number to call or an address to open. */
  readonly contacts: { readonly name: string; readonly phone: string | null; readonly url: string | null }[];
};

/** The world (UN M.49): for a country without contacts of ours where 112 is not answered either. */
const world = '001';

type Language = 'de' | 'en';
type Contact = {
  readonly name: Readonly<Record<Language, string>>;
  readonly phone?: string;
  readonly url?: string;
};

const emergency: Contact = { name: { de: 'Notruf', en: 'Emergency call' }, phone: '112' };

/**
 * ThroughLine's list of helplines in some 130 countries. It shows the helplines of the country in which it is opened.
 */
const helplines: Contact = {
  name: { de: 'Krisentelefone Ihres Landes (findahelpline.com)', en: 'Helplines of your country (findahelpline.com)' },
  url: 'https://findahelpline.com',
};

const german = { de: 'TelefonSeelsorge', en: 'TelefonSeelsorge (in German)' };

/**
 * Germany: https://www.telefonseelsorge.de. Austria: https://www.telefonseelsorge.at (142 is an official emergency number),
 * rescue service 144. Switzerland: https://www.143.ch, ambulance 144. 112: Directive (EU) 2018/1972 Art. 109; it also
 * works in Switzerland.
 */
const contacts: Readonly<Record<string, readonly Contact[]>> = {
  DE: [
    emergency,
    { name: german, phone: '0800 1110111' },
    { name: german, phone: '0800 1110222' },
    { name: german, phone: '116 123' },
  ],
  AT: [emergency, { name: { de: 'Telefonseelsorge', en: 'Telefonseelsorge (in German)' }, phone: '142' }],
  CH: [emergency, { name: { de: 'Die Dargebotene Hand', en: 'Die Dargebotene Hand' }, phone: '143' }],
  // 143 works in Liechtenstein, too.
  LI: [emergency, { name: { de: 'Die Dargebotene Hand', en: 'Die Dargebotene Hand' }, phone: '143' }],
  EU: [emergency, helplines],
  // A number of one country does not work in another one: a user who is elsewhere gets the list.
  [world]: [helplines],
};

const notices: Readonly<Record<Language, string>> = {
  de: 'Ihre Antworten werden nicht in Echtzeit gelesen. Wenn Sie daran denken, sich etwas anzutun, oder in einer Krise sind, rufen Sie bitte gleich an:',
  en: 'Nobody reads your answers in real time. If you think of harming yourself, or are in a crisis, please call right away:',
};

/** For places where we do not know a number that is answered. */
const noticesElsewhere: Readonly<Record<Language, string>> = {
  de: 'Ihre Antworten werden nicht in Echtzeit gelesen. Wenn Sie daran denken, sich etwas anzutun, oder in einer Krise sind, rufen Sie bitte gleich den Notruf des Landes an, in dem Sie sind, oder ein Krisentelefon:',
  en: 'Nobody reads your answers in real time. If you think of harming yourself, or are in a crisis, please call the emergency number of the country you are in right away, or a helpline:',
};

/** The countries whose emergency number is 112, including our own, and the time zones of phones in them. */
const zonesOf112: Readonly<Record<string, readonly string[]>> = {
  AD: ['Europe/Andorra'],
  AT: ['Europe/Vienna'],
  AX: ['Europe/Mariehamn'],
  BE: ['Europe/Brussels'],
  BG: ['Europe/Sofia'],
  CH: ['Europe/Zurich'],
  CY: ['Asia/Nicosia', 'Europe/Nicosia'],
  CZ: ['Europe/Prague'],
  DE: ['Europe/Berlin', 'Europe/Busingen'],
  DK: ['Europe/Copenhagen'],
  EE: ['Europe/Tallinn'],
  ES: ['Europe/Madrid', 'Atlantic/Canary', 'Africa/Ceuta'],
  FI: ['Europe/Helsinki'],
  FR: ['Europe/Paris'],
  GB: ['Europe/London'],
  GR: ['Europe/Athens'],
  HR: ['Europe/Zagreb'],
  HU: ['Europe/Budapest'],
  IE: ['Europe/Dublin'],
  IS: ['Atlantic/Reykjavik'],
  IT: ['Europe/Rome'],
  LI: ['Europe/Vaduz'],
  LT: ['Europe/Vilnius'],
  LU: ['Europe/Luxembourg'],
  LV: ['Europe/Riga'],
  MC: ['Europe/Monaco'],
  MT: ['Europe/Malta'],
  NL: ['Europe/Amsterdam'],
  NO: ['Europe/Oslo', 'Arctic/Longyearbyen'],
  PL: ['Europe/Warsaw'],
  PT: ['Europe/Lisbon', 'Atlantic/Madeira', 'Atlantic/Azores'],
  RO: ['Europe/Bucharest'],
  SE: ['Europe/Stockholm'],
  SI: ['Europe/Ljubljana'],
  SK: ['Europe/Bratislava'],
  SM: ['Europe/San_Marino'],
  VA: ['Europe/Vatican'],
};

const countryOfZone = new Map(
  Object.entries(zonesOf112).flatMap(([country, zones]) => zones.map((zone) => [zone.toLowerCase(), country])),
);

/**
 * The help for a user. If the phone's time zone names a place, only the zone decides: a German phone in Vienna needs
 * Vienna's number, and a German phone in New York must get no German number. Otherwise the locale's country decides.
 * The locale `de` without a country counts as Germany, like a profile without a zone (`defaultZone`).
 *
 * @param locale a language tag such as `de-AT`; every language except German gets English
 */
export function crisisHelp(locale: string | null, timezone: string | null): CrisisHelp {
  const [language = '', ...more] = (locale ?? '').split('-');
  const region = more.find((part) => /^[A-Za-z]{2}$/.test(part))?.toUpperCase();
  const spoken: Language = language.toLowerCase() === 'de' ? 'de' : 'en';
  const country = saysPlace(timezone) ? ofZone(timezone) : ofLocale(region, spoken);
  const known = contacts[country] ?? [];
  return {
    country,
    notice: (country === world ? noticesElsewhere : notices)[spoken],
    contacts: known.map(({ name, phone = null, url = null }) => ({ name: name[spoken], phone, url })),
  };
}

/** `UTC`, `Etc/GMT+1` and `CET` name no place. */
function saysPlace(timezone: string | null): timezone is string {
  if (timezone === null) return false;
  return timezone.includes('/') && !/^etc\//i.test(timezone);
}

function ofZone(timezone: string): string {
  const country = countryOfZone.get(timezone.toLowerCase());
  return country === undefined ? world : served(country);
}

function ofLocale(region: string | undefined, spoken: Language): string {
  if (region === undefined) return spoken === 'de' ? 'DE' : 'EU';
  return Object.hasOwn(zonesOf112, region) ? served(region) : world;
}

/** A country with its own contacts, or the European Union. */
function served(country: string): string {
  return Object.hasOwn(contacts, country) ? country : 'EU';
}
