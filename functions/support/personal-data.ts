import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  SupportTickets: {
    level: 'health',
    holds: 'what a patient asked the support, the answers, internal notes of staff, times, who works on the ticket',
    why: 'the support answers',
    howLong: 'until the erasure of the patient',
    readers:
      'the user (not the internal notes); callers with `support:write`; callers with `patients:read`, a care relation and `data-sharing` (only state and priority); operators',
    inGerman: {
      holds:
        'was eine Person den Support gefragt hat, die Antworten, interne Notizen des Supports, Zeiten, wer daran arbeitet',
      why: 'der Support antwortet',
      howLong: 'bis zur Löschung der Patientin oder des Patienten',
      readers:
        'die Person selbst (ohne interne Notizen, die auf Anfrage nach Prüfung herausgegeben werden); der Support; mit Einwilligung die Einrichtung, aber nur Stand und Dringlichkeit; der Betrieb',
    },
    people: [
      {
        who: 'the patient',
        found: { described: '`user#<id>`, and from there each ticket with its comments and its rows in the lists' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseTickets',
          uses: [read(tables.SupportTickets), discard(tables.SupportTickets)],
        },
        // What the patient sees: internal notes are handed out on request, once somebody has reviewed them.
        inExport: { by: 'readAllTickets', uses: [read(tables.SupportTickets)] },
      },
      {
        who: 'staff who answered, took notes or are assigned',
        found: {
          described: '`authorId` and `assigneeId`, which only the list `assignee#<id>` has in a key',
        },
        onErasure: {
          keep: 'the ticket belongs to its patient; the author is named by a random id and a role',
          until: "the patient's erasure",
        },
        inExport: false,
      },
    ],
  },
  UrgentTickets: {
    level: 'health',
    holds: 'the ids of the person, the response and the flag; times; who acknowledged the ticket',
    why: 'a person looks at an answer that must not wait',
    howLong: 'until the erasure of the patient',
    readers:
      'callers with `support:urgent`; callers with `support:urgent-of-sites`, a care relation and `data-sharing`; operators',
    inGerman: {
      holds: 'von einem Hinweis die Kennungen von Person, Antwort und Hinweis, Zeiten, und wer ihn bestätigt hat',
      why: 'ein Mensch sieht sich eine Antwort an, die nicht warten darf',
      howLong: 'bis zur Löschung der Patientin oder des Patienten',
      readers:
        'wer für die Sicherheit der Patientinnen und Patienten zuständig ist; mit Einwilligung die Einrichtung; der Betrieb',
    },
    people: [
      {
        who: 'the patient',
        found: { described: '`user#<id>`, and from there each ticket with its rows in the lists' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseUrgentTickets',
          uses: [read(tables.UrgentTickets), discard(tables.UrgentTickets)],
        },
        inExport: { by: 'readAllUrgentTickets', uses: [read(tables.UrgentTickets)] },
      },
      {
        who: 'staff who acknowledged',
        found: { described: '`acknowledgedBy`, which is not part of any key' },
        onErasure: {
          keep: 'who took care of it stays accountable; a random id names the person',
          until: "the patient's erasure",
        },
        inExport: false,
      },
    ],
  },
};
