import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  MobileSettings: {
    holds: "an administrator's user id",
    why: 'the settings of the apps',
    howLong: 'until replaced',
    readers: 'administrators; everybody what follows from it',
    people: [
      {
        who: 'the administrator',
        found: { described: '`updatedBy`, which no key holds' },
        onErasure: { keep: 'who decided stays accountable; a random id names them', until: 'the next change' },
        inExport: false,
      },
    ],
  },
};
