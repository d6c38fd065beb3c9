import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  PushDeliveries: {
    holds: 'user id, device id, which event was sent',
    why: 'no push twice',
    howLong: '30 days',
    readers: 'the sender; operators',
    people: [
      {
        who: 'the user',
        found: { described: '`<userId>#<event>#<deviceId>`, which no table lists' },
        onErasure: {
          keep: 'the row has only random ids, and a repeated push must not be sent again',
          until: '30 days',
        },
        inExport: false,
      },
    ],
  },
};
