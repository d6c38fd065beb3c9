import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  AuditEvents: {
    holds:
      "an administrator's user id, what they did, to whom, when: also whom they put into which group, or took out of it",
    why: 'who administered what',
    howLong: 'for good',
    readers: '`audit:read`; operators',
    people: [
      {
        who: 'the administrator',
        found: { described: '`actor`, which no key holds' },
        onErasure: {
          keep: 'who did what stays accountable (GDPR Art. 5 (2)); a random id names them',
          until: 'for good',
        },
        inExport: false,
      },
      {
        who: 'the user whom it was done to',
        found: { described: '`subject`, which no key holds' },
        onErasure: {
          // Of a membership: a random id, the group's id and the times. What the group was called then is in the group's own events.
          keep: 'a legal hold and its end are evidence, and so is who was put into a group of whom staff write to, by whom and when; a random id names them, which nothing else holds after the erasure',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
