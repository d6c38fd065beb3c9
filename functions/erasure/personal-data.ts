import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Accounts: {
    level: 'personal',
    holds: 'user id, whether the account is closed, and when its consents ended because it was closed',
    why: 'no data is written for a user who asked for the deletion',
    howLong: 'for good',
    readers: 'every function that a signed-in user calls; the user, about themselves',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: {
          keep: 'the end of consents belongs to their records; the row has only a random id',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
  LegalHolds: {
    level: 'personal',
    holds: 'user id, when the hold was placed, who placed it, and the reference of the case',
    why: 'the erasure checks it; only the functions that place and lift holds write it',
    howLong: 'until the hold is lifted',
    readers: 'the functions that erase accounts and release records; operators',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: { keep: 'it forbids the erasure', until: 'the hold is lifted' },
        inExport: false,
      },
      {
        who: 'the administrator of a hold',
        found: { described: '`by`, which is not part of any key' },
        onErasure: {
          keep: 'the person who set the hold stays accountable; a random id names them',
          until: 'the hold is lifted',
        },
        inExport: false,
      },
    ],
  },
  Erasures: {
    level: 'personal',
    holds:
      'user id, when the erasure was requested, when it was done, and the legal hold with the reference of its case',
    why: 'after a backup is restored, erasing again the data that it brings back',
    howLong: 'for good',
    readers: 'the user, about themselves; administrators; operators',
    people: [
      {
        who: 'the user',
        found: { described: 'the sort key below `user`' },
        onErasure: {
          keep: 'a restore brings the data back, and the replay needs to know that it was erased',
          until: 'for good',
        },
        inExport: false,
      },
      {
        who: 'the administrator of a hold',
        found: { described: '`legalHold.by`, which is not part of any key' },
        onErasure: { keep: 'the person who set the hold stays accountable; a random id names them', until: 'for good' },
        inExport: false,
      },
    ],
  },
};
