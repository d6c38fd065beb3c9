import type { DataOf } from '../../lib/contract/personal-data.ts';
import { read, replace } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Users: {
    level: 'personal',
    holds:
      "user id, the user pool's name for the user, e-mail address, locale, time zone, year of birth; which user each address belongs to",
    why: 'the profile',
    howLong: 'until the erasure',
    readers:
      "the user; staff with `users:read`; with the user's `data-sharing` the physicians of the user's sites (not the user names); operators",
    inGerman: {
      holds: 'Nutzerkennung, Name im Anmeldedienst, E-Mail-Adresse, Sprache, Zeitzone, Geburtsjahr',
      why: 'das Profil',
      howLong: 'bis zur Löschung',
      readers:
        'die Person selbst; Mitarbeitende mit der Berechtigung users:read; mit Ihrer Einwilligung data-sharing die Ärztinnen und Ärzte Ihrer Einrichtungen; der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        // A tombstone stays: a token that is still valid must not create the user again.
        onErasure: { becomes: 'pseudonymous', by: 'eraseProfile', uses: [read(tables.Users), replace(tables.Users)] },
        inExport: true,
      },
    ],
  },
};
