import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

/** In both tables, in one transaction each. */
const withItsInverse = {
  becomes: 'erased',
  by: 'eraseCareRelations',
  uses: [
    read(tables.CareRelations),
    discard(tables.CareRelations),
    read(tables.SitePatients),
    discard(tables.SitePatients),
  ],
} as const;

const fromTheirSites = {
  becomes: 'erased',
  by: 'eraseStaff',
  uses: [read(tables.Staff), discard(tables.Staff), read(tables.SiteStaff), discard(tables.SiteStaff)],
} as const;

export const data: DataOf<typeof tables> = {
  Sites: {
    level: 'internal',
    holds:
      'name, address, telephone number, time zone, opening hours and state of a site, and the short code that patients type. For a deleted site, only its name and time zone. About no person',
    why: 'where staff work, and which site a patient has joined',
    howLong: 'for good',
    readers: '`crm:admin`; patients of the site (its name and time zone); operators',
    people: [],
  },
  CareRelations: {
    level: 'health',
    holds: 'user id, site, since when, and whether it is the main site',
    why: 'the staff of a site can look at the data of its patients',
    howLong: 'until the patient leaves the site, or the erasure',
    readers: "the user; the site's staff; operators",
    inGerman: {
      holds: 'Nutzerkennung, Einrichtung, seit wann, und ob es die Haupteinrichtung ist',
      why: 'das Team einer Einrichtung kann die Daten ihrer Patientinnen und Patienten sehen',
      howLong: 'bis die Person die Einrichtung verlässt, oder bis zur Löschung',
      readers: 'die Person selbst; das Team der Einrichtung; der Betrieb',
    },
    people: [{ who: 'the patient', found: 'partition', onErasure: withItsInverse, inExport: true }],
  },
  SitePatients: {
    level: 'health',
    holds: 'site, user id, since when',
    why: 'the list of a site’s patients',
    howLong: 'until the patient leaves the site, or the erasure',
    readers: "the site's staff; operators",
    people: [
      {
        who: 'the patient',
        found: { described: 'the site of each of the `CareRelations`' },
        onErasure: withItsInverse,
        inExport: false,
      },
    ],
  },
  Staff: {
    level: 'personal',
    holds: 'user id, the name that patients see, the sites that the member of staff works at',
    why: 'who works where',
    howLong: 'until the erasure',
    readers: 'the user; `crm:admin`; patients whose data they looked at (the name); operators',
    inGerman: {
      holds:
        'Nutzerkennung, der Name, den Patientinnen und Patienten sehen, und die Einrichtungen, in denen die Person arbeitet',
      why: 'wer wo arbeitet',
      howLong: 'bis zur Löschung',
      readers:
        'die Person selbst; die Verwaltung der Einrichtungen; wessen Daten die Person gesehen hat (den Namen); der Betrieb',
    },
    people: [{ who: 'the member of staff', found: 'partition', onErasure: fromTheirSites, inExport: true }],
  },
  SiteStaff: {
    level: 'personal',
    holds: 'site, user id, since when',
    why: 'the list of a site’s staff',
    howLong: 'until the removal from the site, or the erasure',
    readers: '`crm:admin`; operators',
    people: [
      {
        who: 'the member of staff',
        found: { described: 'the sites in the `Staff` of the person' },
        onErasure: fromTheirSites,
        inExport: false,
      },
    ],
  },
  SiteCodeTries: {
    level: 'personal',
    holds: 'user id, and when the user typed wrong codes of sites',
    why: 'preventing people from guessing codes',
    howLong: 'an hour; then deleted',
    readers: 'the routes that take a code; operators',
    inGerman: {
      holds: 'wann eine Person falsche Codes von Einrichtungen eingegeben hat',
      why: 'niemand soll Codes erraten',
      howLong: 'eine Stunde; dann gelöscht',
      readers: 'die Funktionen, die einen Code annehmen; der Betrieb',
    },
    people: [
      { who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['changeId', 'expiresAt'] } },
    ],
  },
};
