import type { DataOf } from '../../lib/contract/personal-data.ts';
import { read, replace } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  SupportTickets: {
    holds:
      'what a patient asked the support, the answers, internal notes of staff, times, who works on the ticket. For a flag: the ids of the person, the response and the flag, and who acknowledged it',
    why: 'the support answers; a person looks at an answer that must not wait',
    howLong: 'until the erasure of the patient',
    readers:
      'the user (not the internal notes); callers with `support:write`; callers with `patients:read`, a care relation and `data-sharing` (only state and priority); operators. Tickets of flags: callers with `support:urgent`, and callers with `support:urgent-of-sites`, a care relation and `data-sharing`',
    inGerman: {
      holds:
        'was eine Person den Support gefragt hat, die Antworten, interne Notizen des Supports, Zeiten, wer daran arbeitet; von einem Hinweis die Kennungen von Person, Antwort und Hinweis, und wer ihn bestätigt hat',
      why: 'der Support antwortet; ein Mensch sieht sich eine Antwort an, die nicht warten darf',
      howLong: 'bis zur Löschung der Patientin oder des Patienten',
      readers:
        'die Person selbst (ohne interne Notizen, die auf Anfrage nach Prüfung herausgegeben werden); der Support; mit Einwilligung die Einrichtung, aber nur Stand und Dringlichkeit; bei Hinweisen, wer für die Sicherheit zuständig ist, und mit Einwilligung die Einrichtung; der Betrieb',
    },
    people: [
      {
        who: 'the patient',
        found: { described: '`user#<id>`, and from there each ticket with its comments and its rows in the lists' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseTickets',
          uses: [read(tables.SupportTickets), replace(tables.SupportTickets)],
        },
        // What the patient sees: internal notes are handed out on request, once somebody has reviewed them.
        inExport: { by: 'readAllTickets', uses: [read(tables.SupportTickets)] },
      },
      {
        who: 'staff who answered, took notes, are assigned or acknowledged',
        found: {
          described: '`authorId`, `assigneeId` and `acknowledgedBy`, which only the list `assignee#<id>` has in a key',
        },
        onErasure: {
          keep: 'the ticket belongs to its patient; the author is named by a random id and a role',
          until: "the patient's erasure",
        },
        inExport: false,
      },
    ],
  },
};
