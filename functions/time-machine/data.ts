import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Clock: {
    holds: "no person's; not in prod",
    why: 'the time machine',
    howLong: 'until reset',
    readers: 'every function',
    people: [],
  },
};
