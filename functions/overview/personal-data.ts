import type { DataOf } from '../../lib/contract/personal-data.ts';
import { adjust, discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  OverviewFigures: {
    level: 'internal',
    holds:
      'counts of users, entitlements, questionnaires, diary entries and tickets, by week, day and state. About no person',
    why: 'seeing how the service is used',
    howLong: 'for good',
    readers: '`users:admin`; operators',
    people: [],
  },
  OverviewEntries: {
    level: 'personal',
    holds: 'user id, which of the user’s rows were counted, and in which counts',
    why: 'no row is counted twice',
    howLong: 'until the counted row is deleted, or the erasure',
    readers: 'the functions that count; operators',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: {
          becomes: 'erased',
          by: 'eraseEntries',
          uses: [
            read(tables.OverviewEntries),
            discard(tables.OverviewEntries),
            read(tables.OverviewFigures),
            adjust(tables.OverviewFigures),
          ],
        },
        // The rows that are counted are in it.
        inExport: false,
      },
    ],
  },
};
