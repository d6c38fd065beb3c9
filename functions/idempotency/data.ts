import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  IdempotencyKeys: {
    holds: "hashes of who asked for what by which key; the id and time of what was made. No person's",
    why: 'a request that staff repeat makes nothing twice',
    howLong: 'a day; then deleted',
    readers: 'the function that made it; operators',
    people: [],
  },
};
