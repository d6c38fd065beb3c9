import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Accounts: {
    holds: 'user id, whether the account is closed, when consents ended with it',
    why: 'nothing is written for who asked to be deleted',
    howLong: 'for good',
    readers: 'every function that is called in somebody’s name; the user about themselves',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: { keep: 'that consents ended goes with their records; a random id', until: 'for good' },
        inExport: false,
      },
    ],
  },
  LegalHolds: {
    holds: 'user id, since when, by whom, which case',
    why: 'what erases asks it: no other function writes it',
    howLong: 'until the hold is lifted',
    readers: 'the functions that erase and release; operators',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: { keep: 'it is what forbids the erasure', until: 'the hold is lifted' },
        inExport: false,
      },
      {
        who: 'the administrator of a hold',
        found: { described: '`by`, which no key holds' },
        onErasure: { keep: 'who kept what stays accountable; a random id names them', until: 'the hold is lifted' },
        inExport: false,
      },
    ],
  },
  Erasures: {
    holds: 'user id, when asked, when done, legal hold and its case',
    why: 'erasing what a restored backup brings back',
    howLong: 'for good',
    readers: 'the user about themselves; administrators; operators',
    people: [
      {
        who: 'the user',
        found: { described: 'the sort key below `user`' },
        onErasure: { keep: 'a restore brings the person back, and the replay needs to know', until: 'for good' },
        inExport: false,
      },
      {
        who: 'the administrator of a hold',
        found: { described: '`legalHold.by`, which no key holds' },
        onErasure: { keep: 'who kept what stays accountable; a random id names them', until: 'for good' },
        inExport: false,
      },
    ],
  },
};
