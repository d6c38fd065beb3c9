import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  StaffDirectory: {
    level: 'personal',
    holds: 'user id, name, title, specialties, sites, roles and state of a member of staff',
    why: 'members of staff find each other',
    howLong: 'until the erasure',
    readers: 'the user; staff with `crm-users:read`; operators',
    inGerman: {
      holds: 'Nutzerkennung, Name, Titel, Fachgebiete, Einrichtungen, Rollen und Status einer Person im Team',
      why: 'das Team findet einander',
      howLong: 'bis zur Löschung',
      readers: 'die Person selbst; Mitarbeitende mit der Berechtigung crm-users:read; der Betrieb',
    },
    people: [
      {
        who: 'the member of staff',
        found: 'partition',
        // The second row is in a list's partition.
        onErasure: {
          becomes: 'erased',
          by: 'eraseDirectoryEntry',
          uses: [read(tables.StaffDirectory), discard(tables.StaffDirectory)],
        },
        inExport: { without: ['place', 'revision'] },
      },
    ],
  },
};
