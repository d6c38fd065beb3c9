import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Agreements: {
    holds: "no person's",
    why: 'the catalogue',
    howLong: 'for good',
    readers: 'everybody signed in',
    people: [],
  },
};
