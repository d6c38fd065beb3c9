import type { DataOf } from '../../lib/contract/personal-data.ts';
import { adjust, discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  StaffAccounts: {
    level: 'personal',
    holds: 'user id, e-mail address, language, roles and state of a member of staff; a list of the administrators',
    why: 'what each member of staff may do',
    howLong: 'until the erasure',
    readers: "the user; `iam:admin`; the authorizer of the staff's application; operators",
    inGerman: {
      holds:
        'E-Mail-Adresse, Sprache, Rollen und Status der Mitarbeiterin oder des Mitarbeiters; wer Administratorin oder Administrator ist',
      why: 'was jede Person tun darf, die hier arbeitet',
      howLong: 'bis zur Löschung',
      readers: 'die Person selbst; die Administration der Rollen; die Anmeldung der Anwendung; der Betrieb',
    },
    people: [
      {
        who: 'the member of staff',
        found: { described: 'the sort key below `staff`; a member of the set in `roster`' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseStaffAccount',
          uses: [read(tables.StaffAccounts), discard(tables.StaffAccounts), adjust(tables.StaffAccounts)],
        },
        inExport: { by: 'readOwnStaffAccount', uses: [read(tables.StaffAccounts)] },
      },
    ],
  },
};
