import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  AppVersionPolicies: {
    level: 'internal',
    holds: "an administrator's user id",
    why: 'the version check',
    howLong: 'until replaced',
    readers: 'administrators; the app gets only the result',
    people: [
      {
        who: 'the administrator',
        found: { described: '`updatedBy`, which is not part of any key' },
        onErasure: {
          keep: 'the person who decided stays accountable; a random id names them',
          until: 'the next change',
        },
        inExport: false,
      },
    ],
  },
};
