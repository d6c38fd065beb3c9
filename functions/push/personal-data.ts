import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  PushDeliveries: {
    level: 'personal',
    holds: 'user id, device id, which event was sent to the device, and how many messages were unread',
    why: 'no push is sent twice, and the icon shows the newest number',
    howLong: '30 days',
    readers: 'the function that sends pushes; operators',
    people: [
      {
        who: 'the user',
        found: { described: '`<userId>#<event>#<deviceId>` and `<userId>#badge#<deviceId>`, which no table lists' },
        onErasure: {
          keep: 'the row has only random ids and a number, and a repeated push must not be sent again',
          until: '30 days',
        },
        inExport: false,
      },
    ],
  },
};
