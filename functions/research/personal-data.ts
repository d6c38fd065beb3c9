import type { DataOf } from '../../lib/contract/personal-data.ts';
import { adjust, discard, get, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

/** In both tables, and in the number of participants, in one transaction each. */
const withItsInverse = {
  becomes: 'erased',
  by: 'eraseEnrolments',
  uses: [
    read(tables.UserEnrolments),
    discard(tables.UserEnrolments),
    discard(tables.Enrolments),
    get(tables.Studies),
    adjust(tables.Studies),
  ],
} as const;

export const data: DataOf<typeof tables> = {
  Studies: {
    level: 'internal',
    holds: 'what a study collects, its state, and how many take part. About no person',
    why: 'research with the data of people who agreed to it',
    howLong: 'for good',
    readers: '`research:admin`; participants, and people who have a code (both see what the study collects); operators',
    people: [],
  },
  StudyCodes: {
    level: 'secret',
    holds: 'about no person: keyed hashes of codes, the study, the group, when an invitation was used',
    why: 'an invitation is used once',
    howLong: 'for good; the code of a study until it is replaced',
    readers: 'the routes that take a code; operators',
    people: [],
  },
  StudyKeys: {
    level: 'secret',
    holds: 'about no person: a random key for each study, which makes its pseudonyms',
    why: 'a participant has a different pseudonym in the files of each study',
    howLong: 'for good: without it a file could not be corrected',
    readers: 'the function that writes exports; operators',
    people: [],
  },
  Enrolments: {
    level: 'health',
    holds:
      'study, user id, when the user joined and left, group, the consent record that allows it, and whether exported data may be kept',
    why: 'the participants of a study',
    howLong: 'until the erasure',
    readers: 'the function that writes exports; operators',
    people: [
      {
        who: 'the participant',
        found: { described: 'the study of each of the `UserEnrolments`' },
        onErasure: withItsInverse,
        // It says the same as `UserEnrolments`.
        inExport: false,
      },
    ],
  },
  UserEnrolments: {
    level: 'health',
    holds: 'the same as `Enrolments`, by user',
    why: 'the studies of a user',
    howLong: 'until the erasure',
    readers: 'the user; operators',
    inGerman: {
      holds:
        'Nutzerkennung, Studie, von wann bis wann die Person teilnimmt, Gruppe, die Einwilligung dazu, und ob exportierte Daten nach dem Austritt bleiben dürfen',
      why: 'die Studien, an denen die Person teilnimmt',
      howLong: 'bis zur Löschung',
      readers: 'die Person selbst; der Betrieb',
    },
    people: [
      {
        who: 'the participant',
        found: 'partition',
        onErasure: withItsInverse,
        inExport: { without: ['revision', 'codeId'] },
      },
    ],
  },
};
