import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ConsentStatistics: {
    level: 'personal',
    holds:
      "counts by agreement, version and day; for each chain, under the user's random id, the last record that was counted",
    why: 'seeing how many users agree',
    howLong: "for good; the row of a chain until 90 days after the chain's records are deleted",
    readers: 'administrators; operators',
    people: [
      {
        who: 'the user',
        found: { described: '`<generation>#chain#<userId>` below each agreement' },
        onErasure: {
          keep: 'without the row, a record that still exists would be counted again',
          until: '90 days after the records are deleted',
        },
        inExport: false,
      },
    ],
  },
};
