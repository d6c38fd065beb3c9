import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  PushDeliveries: {
    holds: 'user id, device id, and which event was sent to the device',
    why: 'no push is sent twice',
    howLong: '30 days',
    readers: 'the function that sends pushes; operators',
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
