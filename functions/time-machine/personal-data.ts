import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Clock: {
    level: 'internal',
    holds: 'how far the clock of the business rules is moved; does not exist in prod. About no person',
    why: 'the time machine',
    howLong: 'until the clock is reset',
    readers: 'every function',
    people: [],
  },
};
