/**
 * Whom to call in a crisis, by country. `source` is the page with which each fact was compared, in the copy that could be read on
 * the day `checkedOn`. What no source said is null, and a service without a source is not in the list.
 */

type Language = 'de' | 'en';
export type Texts = Readonly<Record<Language, string>>;

export type Channel = 'phone' | 'text' | 'chat' | 'web';

export type Contact = {
  readonly name: Texts;
  readonly channel: Channel;
  /** The number to call, or to which a text message is sent. */
  readonly phone: string | null;
  readonly url: string | null;
  /** Null: day and night. */
  readonly hours: Texts | null;
  /** BCP 47; empty if not known. */
  readonly languages: readonly string[];
  /** Null if not known. */
  readonly cost: 'free' | 'call-charge' | null;
  readonly source: string;
  readonly checkedOn: string;
};

const checkedOn = '2026-11-25';

type Facts = Partial<Omit<Contact, 'name'>> & Pick<Contact, 'source'>;

function contact(name: string | Texts, facts: Facts): Contact {
  const texts = typeof name === 'string' ? { de: name, en: name } : name;
  const known = { phone: null, url: null, hours: null, languages: [], cost: 'free' as const, checkedOn };
  return { name: texts, channel: 'phone', ...known, ...facts };
}

const daily = (from: number, to: number): Texts => ({
  de: `täglich von ${from} bis ${to} Uhr`,
  en: `every day from ${from}:00 to ${to}:00`,
});

const emergency = (phone: string, languages: readonly string[], source: string) =>
  contact({ de: 'Notruf', en: 'Emergency call' }, { phone, languages, source });

/** Directive (EU) 2018/1972, Art. 109. The page names the countries outside of the Union, too. */
export const emergency112 = (languages: readonly string[]) =>
  emergency('112', languages, 'https://vugd.gov.lv/en/single-emergency-call-number-112-europe');

/** ThroughLine's list of helplines in some 130 countries. It shows the helplines of the country in which it is opened. */
export const helplines = contact(
  { de: 'Krisentelefone Ihres Landes (findahelpline.com)', en: 'Helplines of your country (findahelpline.com)' },
  {
    ...{ channel: 'web', url: 'https://findahelpline.com', languages: ['en'] },
    source:
      'https://lifeline-international.com/from-idea-to-impact-how-throughline-is-bridging-the-gap-in-global-crisis-support/',
  },
);

const seelsorge = (phone: string) =>
  contact('TelefonSeelsorge', {
    phone,
    languages: ['de'],
    source: 'http://ansbach-evangelisch.de/jeder-braucht-mal-hilfe/',
  });

// One source says that a call is free, another one that it costs 20 Rappen. 143 works in Liechtenstein, too.
const hand = contact(
  { de: 'Die Dargebotene Hand', en: 'Die Dargebotene Hand (Tel 143)' },
  {
    phone: '143',
    languages: ['de', 'fr', 'it'],
    cost: null,
    source: 'https://www.bag-blueprint.ch/die-dargebotene-hand-tel-143',
  },
);

const samaritans = (source: string) => contact('Samaritans', { phone: '116 123', languages: ['en'], source });

const samhsa = { languages: ['en', 'es'], source: 'https://www.samhsa.gov/mental-health/988/faqs' };
const canada = { languages: ['en', 'fr'], source: 'https://988.ca/get-help/what-to-expect' };
const [lifelineCalls, lifelineTexts] = [
  'https://lifelineh2h.org.au/get-help/telephone-crisis-support/faqs/',
  'https://lifeinmind.org.au/news/lifelines-crisis-text-service-now-available-24-7',
];
const brussels =
  'https://www.brusselstimes.com/belgium/1952875/belgiums-centre-for-suicide-prevention-calls-for-volunteers';
const nl113 = 'https://www.upday.com/nl/binnenland/nummer-113-nu-gratis-betere-hulp-bij-zelfdodingsgedachten/pj8neqt';

/** The order is that of the screen. The emergency number is the first. */
export const contactsByCountry: Readonly<Record<string, readonly Contact[]>> = {
  DE: [emergency112(['de']), seelsorge('0800 1110111'), seelsorge('0800 1110222'), seelsorge('116 123')],
  AT: [
    emergency112(['de']),
    contact('Telefonseelsorge', {
      phone: '142',
      languages: ['de'],
      source: 'https://www.katholisch.at/telefonseelsorge',
    }),
    contact('Telefonseelsorge', {
      ...{
        channel: 'chat',
        url: 'https://chat.onlineberatung-telefonseelsorge.at',
        hours: daily(16, 23),
        languages: ['de'],
      },
      source: 'https://wienerbezirksblatt.at/hochwasser-tlefonseelsorge-jetzt-rund-um-die-uhr-erreichbar/',
    }),
  ],
  CH: [
    emergency112(['de', 'fr', 'it']),
    hand,
    contact('Heart2Heart (Tel 143)', {
      ...{ phone: '0800 143 000', hours: daily(18, 23), languages: ['en'] },
      source: 'https://www.zukunft-ch.ch/heart2heart-die-dargebotene-hand-spricht-englisch/',
    }),
  ],
  LI: [emergency112(['de']), hand],
  FR: [
    emergency112(['fr']),
    contact('3114, numéro national de prévention du suicide', {
      ...{ phone: '3114', languages: ['fr'] },
      source: 'https://www.mayotte.ars.sante.fr/3114-le-numero-national-de-prevention-du-suicide',
    }),
  ],
  ES: [
    emergency112(['es']),
    contact('024, atención a la conducta suicida', {
      ...{ phone: '024', languages: ['es'] },
      source: 'https://www.rtve.es/noticias/20220509/sanidad-presenta-telefono-prevencion-suicidio/2347183.shtml',
    }),
  ],
  // No helpline of Italy was found that is open all night.
  IT: [
    emergency112(['it']),
    contact('Telefono Amico Italia', {
      ...{ phone: '02 2327 2327', hours: daily(9, 24), languages: ['it'], cost: 'call-charge' },
      source: 'https://www.agensir.it/?p=1502724',
    }),
    helplines,
  ],
  NL: [
    emergency112(['nl']),
    contact('113 Zelfmoordpreventie', { phone: '113', languages: ['nl'], source: nl113 }),
    contact('113 Zelfmoordpreventie', { phone: '0800-0113', languages: ['nl'], source: nl113 }),
    contact('113 Zelfmoordpreventie', { channel: 'chat', url: 'https://www.113.nl', languages: ['nl'], source: nl113 }),
  ],
  BE: [
    emergency112(['nl', 'fr', 'de']),
    contact('Zelfmoordlijn', {
      ...{ phone: '1813', languages: ['nl'] },
      source: 'https://www.vrt.be/vrtnws/fr/2019/09/08/chaque-jour-trois-personnes-mettent-fin-a-leur-vie-en-flandre/',
    }),
    contact('Centre de Prévention du Suicide', { phone: '0800 32 123', languages: ['fr'], source: brussels }),
  ],
  PL: [
    emergency112(['pl']),
    contact('116 123, telefon dla dorosłych w kryzysie emocjonalnym', {
      ...{ phone: '116 123', languages: ['pl'] },
      source: 'https://www.telepolis.pl/wiadomosci/ministerstwo-cyfryzacji-wazne-numery-kampania',
    }),
  ],
  GB: [
    emergency(
      '999',
      ['en'],
      'https://www.norwoodmc.co.uk/2024/08/14/nhs-111-option-2-for-crisis-mental-health-support/',
    ),
    samaritans('https://fullfact.org/online/samaritans-text-message-service/'),
    contact('Shout', {
      ...{ channel: 'text', phone: '85258', languages: ['en'] },
      source: 'https://fullfact.org/online/samaritans-text-message-service/',
    }),
  ],
  IE: [
    emergency112(['en']),
    samaritans('https://www.irishhealthpro.com/content/news/show/name/big-jump-in-calls-to-samaritans-since-2014'),
    contact('Text About It', {
      ...{ channel: 'text', phone: '50808', languages: ['en'] },
      source: 'https://www.irishexaminer.com/news/arid-31005605.html',
    }),
  ],
  US: [
    emergency(
      '911',
      ['en'],
      'https://health.wyo.gov/publichealth/prevention/wivpp/suicide-prevention/988-suicide-crisis-lifeline',
    ),
    contact('988 Suicide & Crisis Lifeline', { phone: '988', ...samhsa }),
    contact('988 Suicide & Crisis Lifeline', { channel: 'text', phone: '988', ...samhsa }),
    contact('988 Suicide & Crisis Lifeline', { channel: 'chat', url: 'https://988lifeline.org', ...samhsa }),
  ],
  CA: [
    emergency('911', ['en', 'fr'], 'https://richmondhilluc.ca/news/988-hotline-launched'),
    contact('9-8-8: Suicide Crisis Helpline', { phone: '988', ...canada }),
    contact('9-8-8: Suicide Crisis Helpline', { channel: 'text', phone: '988', ...canada }),
  ],
  AU: [
    emergency('000', ['en'], 'https://www.triplezero.gov.au/triple-zero/other-emergency-numbers'),
    contact('Lifeline', { phone: '13 11 14', languages: ['en'], source: lifelineCalls }),
    contact('Lifeline', {
      channel: 'text',
      phone: '0477 13 11 14',
      languages: ['en'],
      cost: null,
      source: lifelineTexts,
    }),
    contact('Lifeline', {
      channel: 'chat',
      url: 'https://www.lifeline.org.au',
      languages: ['en'],
      source: lifelineTexts,
    }),
  ],
};

const mostMonths = 12;

/**
 * The contacts that nobody has compared with their sources for twelve months: they must not reach another patient in a release.
 *
 * @param today `2026-11-25`
 */
export function staleContacts(
  today: string,
  contacts: Readonly<Record<string, readonly Contact[]>> = { ...contactsByCountry, '001': [helplines] },
): string[] {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const oldest = new Date(Date.UTC(year, month - 1 - mostMonths, day)).toISOString().slice(0, 10);
  return Object.entries(contacts).flatMap(([country, list]) =>
    list
      .filter((each) => each.checkedOn <= oldest)
      .map(({ name, phone, url, checkedOn: on }) => `${country} ${name.en} ${phone ?? url}: checked on ${on}`),
  );
}
