import {
  type Channel,
  type Contact,
  contactsByCountry,
  emergency112,
  helplines,
  type Texts,
} from './crisis-contacts.ts';
import { countryOfZone, has112, saysPlace } from './crisis-zones.ts';

/**
 * Whom to call in a crisis. The place decides about the numbers, the language only about the words. Nobody watches the
 * answers in real time, and no text here replaces a person.
 */

export type CrisisHelp = {
  readonly country: string;
  readonly notice: string;
  /** What is true as long as the answers are a draft; null beside a completed response. */
  readonly draftNotice: string | null;
  /** Each has a number to call or an address to open. */
  readonly contacts: CrisisContact[];
};

type CrisisContact = {
  readonly name: string;
  readonly channel: Channel;
  readonly phone: string | null;
  readonly url: string | null;
  readonly hours: string;
  readonly alwaysOpen: boolean;
  readonly languages: string[];
  readonly cost: 'free' | 'call-charge' | null;
  readonly source: string;
  readonly checkedOn: string;
};

/** A person's language and time zone, from the profile. Null if the profile does not have them, or does not exist yet. */
export type LocaleAndZone = { readonly locale: string | null; readonly timezone: string | null };

/** The world (UN M.49): for an unknown country, and for one of which we do not know a number. */
const world = '001';

const notices: Texts = {
  de: 'Ihre Antworten werden nicht in Echtzeit gelesen. Wenn Sie daran denken, sich etwas anzutun, oder in einer Krise sind, rufen Sie bitte gleich an:',
  en: 'Nobody reads your answers in real time. If you think of harming yourself, or are in a crisis, please call right away:',
};

/** For places where we do not know a number that is answered. */
const noticesElsewhere: Texts = {
  de: 'Ihre Antworten werden nicht in Echtzeit gelesen. Wenn Sie daran denken, sich etwas anzutun, oder in einer Krise sind, rufen Sie bitte gleich den Notruf des Ortes an, an dem Sie sind, oder ein Krisentelefon:',
  en: 'Nobody reads your answers in real time. If you think of harming yourself, or are in a crisis, please call the emergency number of the place where you are right away, or a helpline:',
};

const draftNotices: Texts = {
  de: 'Diese Antworten sieht niemand, bis Sie sie absenden.',
  en: 'Nobody sees this until you send it.',
};

const dayAndNight: Texts = { de: 'Tag und Nacht', en: 'day and night' };

/**
 * If the phone's time zone names a place, only the zone decides: a German phone in New York must get no German number.
 * Otherwise the country of the profile's locale decides. A language without a country, such as `de`, names no place.
 *
 * @param asked the language of the request, if it names one; otherwise the profile's. It never decides about the country
 */
export function crisisHelp({ locale, timezone }: LocaleAndZone, asked: string | null = null): CrisisHelp {
  const language = (asked ?? locale ?? '').split('-')[0]?.toLowerCase() === 'de' ? 'de' : 'en';
  const country = served(saysPlace(timezone) ? countryOfZone(timezone) : regionOf(locale));
  const known = contactsByCountry[country] ?? (country === world ? [helplines] : [emergency112([]), helplines]);
  return {
    country,
    notice: (country === world ? noticesElsewhere : notices)[language],
    draftNotice: draftNotices[language],
    contacts: known.map((contact) => shown(contact, language)),
  };
}

function shown({ name, hours, languages, ...facts }: Contact, language: keyof Texts): CrisisContact {
  const times = { hours: (hours ?? dayAndNight)[language], alwaysOpen: hours === null };
  return { name: name[language], ...times, languages: [...languages], ...facts };
}

function regionOf(locale: string | null): string | null {
  const [, ...more] = (locale ?? '').split('-');
  return more.find((part) => /^[A-Za-z]{2}$/.test(part))?.toUpperCase() ?? null;
}

/** A country with its own contacts; `EU` where only 112 is known; otherwise the world. */
function served(country: string | null): string {
  if (country === null) return world;
  if (Object.hasOwn(contactsByCountry, country)) return country;
  return has112(country) ? 'EU' : world;
}
