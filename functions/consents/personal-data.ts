import type { DataOf } from '../../lib/contract/personal-data.ts';
import * as tables from './tables.ts';

const proof = {
  keep: 'the controller must be able to prove the consent (GDPR Art. 7 (1), 17 (3) e)',
  until: '10 years after the erasure: `release-consents`',
};

export const data: DataOf<typeof tables> = {
  ConsentRecords: {
    level: 'personal',
    holds: 'user id, agreement, version, hash of the text, locale, app version, time, request id',
    why: 'proof of consent (GDPR Art. 7 (1))',
    howLong: '10 years after the erasure, then deleted',
    readers: 'the user; callers with `consents:read`; operators, by a check or an export',
    inGerman: {
      holds:
        'Nutzerkennung, Vereinbarung, Fassung, Prüfwert des Textes, Sprache, Version der App, Zeit, Kennung der Anfrage',
      why: 'Nachweis der Einwilligung (DSGVO Art. 7 Abs. 1)',
      howLong: '10 Jahre nach der Löschung, dann gelöscht',
      readers:
        'die Person selbst; wer die Berechtigung consents:read hat; der Betrieb, bei einer Prüfung oder einem Export',
    },
    people: [
      {
        who: 'the user',
        found: { through: tables.ConsentStates, fields: ['userId', 'agreementId'] },
        onErasure: proof,
        // Both parts of `userAgreement` are attributes of their own.
        inExport: { without: ['userAgreement', 'expiresAt'] },
      },
    ],
  },
  ConsentStates: {
    level: 'personal',
    holds: "the latest record's place and hash for each user and agreement",
    why: 'showing which agreements the user has agreed to',
    howLong: 'with the records',
    readers: 'the same as for the records',
    // The export has the records, and they say the same.
    people: [{ who: 'the user', found: 'partition', onErasure: proof, inExport: false }],
  },
};
