import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Questionnaires: {
    level: 'public',
    holds: 'questionnaires and bundles as they are published. About no person',
    why: 'what is asked, how it is scored, and when',
    howLong: 'for good: responses refer to their version',
    readers: 'every user that is signed in',
    people: [],
  },
};
