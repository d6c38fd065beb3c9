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
        found: { described: '`actor`, which is not part of any key' },
        onErasure: {
          keep: 'administrators stay accountable (GDPR Art. 5 (2)); a random id names them',
          until: 'for good',
        },
        inExport: false,
      },
      {
        who: 'the user who was affected',
        found: { described: '`subject`, which is not part of any key' },
        onErasure: {
          keep: 'a legal hold and its end are evidence, and so is which administrator changed a group that staff write to; a random id names them, which nothing else holds after the erasure',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
