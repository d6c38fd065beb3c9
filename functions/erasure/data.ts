import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
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
