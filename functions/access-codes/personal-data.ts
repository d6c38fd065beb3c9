import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

/** Each with its rows by start and by group and an insurer's code, in one transaction. */
const withItsStart = {
  becomes: 'erased',
  by: 'eraseEntitlements',
  uses: [
    read(tables.Entitlements),
    discard(tables.Entitlements),
    discard(tables.EntitlementStarts),
    discard(tables.IssuedAccessCodes),
  ],
} as const;

export const data: DataOf<typeof tables> = {
  AccessCodeBatches: {
    level: 'internal',
    holds: 'about no person: what a batch of codes grants, how many are redeemed and revoked',
    why: 'issuing and revoking access codes',
    howLong: 'for good',
    readers: '`access-codes:issue`; operators',
    people: [],
  },
  AccessCodes: {
    level: 'secret',
    holds: 'about no person: keyed hashes of codes, their batch, when they were redeemed',
    why: 'a code is redeemed once',
    howLong: 'for good',
    readers: '`access-codes:issue`: the status; operators',
    people: [],
  },
  IssuedAccessCodes: {
    level: 'secret',
    holds:
      'the codes of a batch, encrypted (about no person); redeemed codes of insurers, encrypted (the insurer can trace a code to a person)',
    why: 'staff can request the codes again if the answer was lost; a redeemed code of an insurer can be billed',
    howLong: "a day; an insurer's code until it is billed, 180 days at most, or until the erasure; then deleted",
    readers: 'the person who issued the batch; nobody can read them in the table',
    people: [
      {
        who: "the user who redeemed an insurer's code",
        found: { described: '`accessCodeId` in the `Entitlements` of the user' },
        onErasure: withItsStart,
        // The person has the code; what it is kept for is between the insurer and the service.
        inExport: false,
      },
    ],
  },
  Entitlements: {
    level: 'health',
    holds: "programme, start and end of what a user's codes unlocked, when staff ended it, and the hash of the code",
    why: 'the therapy that a code unlocks',
    howLong: 'until the erasure',
    readers: 'the user; callers with `patients:read`, a care relation and `data-sharing`; operators',
    inGerman: {
      holds:
        'Programm, Beginn und Ende dessen, was Codes freigeschaltet haben, wann es vorzeitig beendet wurde, und welcher Code es war, als Prüfsumme',
      why: 'die Therapie, die ein Code freischaltet',
      howLong: 'bis zur Löschung',
      readers: 'die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb',
    },
    people: [{ who: 'the user', found: 'partition', onErasure: withItsStart, inExport: true }],
  },
  EntitlementStarts: {
    level: 'health',
    holds: 'for each entitlement, its user: listed by programme and day of the start, and by the group of the code',
    why: 'reminders find the users who started on a given day, without reading all users; a revocation ends what codes unlocked',
    howLong: 'until the erasure',
    readers: 'operators',
    inGerman: {
      holds: 'dasselbe wie `Entitlements`, und von wem, nach dem Tag des Beginns; von wem, nach der Gruppe des Codes',
      why: 'Erinnerungen an Tagen, die vom Beginn abhängen, ohne alle zu lesen; ein Widerruf beendet, was Codes freigeschaltet haben',
      howLong: 'bis zur Löschung',
      readers: 'der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: { described: '`start`; both of its values are computed from the row of `Entitlements`' },
        onErasure: withItsStart,
        // It says the same as `Entitlements`.
        inExport: false,
      },
    ],
  },
  AccessCodeTries: {
    level: 'personal',
    holds: 'when a user entered wrong codes',
    why: 'preventing people from guessing codes',
    howLong: 'an hour after the last wrong code; then deleted',
    readers: 'operators',
    inGerman: {
      holds: 'wann eine Person falsche Codes eingegeben hat',
      why: 'niemand soll Codes erraten',
      howLong: 'eine Stunde nach dem letzten; dann gelöscht',
      readers: 'der Betrieb',
    },
    people: [
      { who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['revision', 'expiresAt'] } },
    ],
  },
};
