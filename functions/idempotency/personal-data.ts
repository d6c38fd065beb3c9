import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  IdempotencyKeys: {
    level: 'secret',
    holds: 'hashes of the caller, the request and the key; the id and time of what was made. About no person',
    why: 'a request that staff repeat takes effect only once',
    howLong: 'a day; then deleted',
    readers: 'the function that made it; operators',
    people: [],
  },
};
