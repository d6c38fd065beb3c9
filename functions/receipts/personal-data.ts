import type { DataOf, ExportedFile } from '../../lib/contract/personal-data.ts';
import { read } from '../../lib/contract/uses.ts';
import { Agreements } from '../agreements/tables.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ConsentReceipts: {
    level: 'personal',
    holds: 'signed receipts: a record and its signature',
    why: 'a proof that the user can keep',
    howLong: 'with the records',
    readers: 'the user; operators',
    inGerman: {
      holds: 'signierte Quittungen: ein Eintrag und seine Signatur',
      why: 'ein Nachweis, den die Person behalten kann',
      howLong: 'so lange wie die Einträge',
      readers: 'die Person selbst; der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: { through: ConsentStates, fields: ['userId', 'agreementId'] },
        onErasure: { keep: 'it proves what the record does', until: 'with the records: `release-consents`' },
        inExport: { without: ['expiresAt'] },
      },
    ],
  },
};

export const exportFiles: readonly ExportedFile[] = [
  {
    name: 'consents.html',
    holds: {
      en: 'what you agreed to and revoked, when, in which version of the text, and how each decision can be verified',
      de: 'wozu Sie zugestimmt und was Sie widerrufen haben, wann, zu welcher Fassung des Textes, und wie sich jede Entscheidung prüfen lässt',
    },
    by: 'writeConsentPage',
    uses: [read(ConsentStates), read(ConsentRecords), read(tables.ConsentReceipts), read(Agreements)],
  },
];
