import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Agreements: {
    level: 'public',
    holds: 'about no person',
    why: 'the catalogue',
    howLong: 'for good',
    readers: 'every user that is signed in',
    people: [],
  },
};
