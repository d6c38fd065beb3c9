import type { DataOf } from '../../../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Notes: {
    level: 'health',
    holds: 'a text',
    why: 'the notes',
    howLong: 'until replaced',
    readers: 'nurses',
    people: [],
  },
};
