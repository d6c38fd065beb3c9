import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ConsentStatistics: {
    holds:
      "counts by agreement, version and day; for each chain, under the user's random id, up to which record it is counted",
    why: 'seeing how many agree',
    howLong: "for good; the row of a chain until 90 days after the chain's records",
    readers: 'administrators; operators',
    people: [
      {
        who: 'the user',
        found: { described: '`<generation>#chain#<userId>` below each agreement' },
        onErasure: { keep: 'a record that is still there would be counted again', until: '90 days after the records' },
        inExport: false,
      },
    ],
  },
};
