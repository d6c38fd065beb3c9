import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  AuditEvents: {
    holds:
      "the user id of a member of staff, what they did, to whom, when: administration, groups, patients' flags and tickets, addresses of the files of studies, their own recovery codes",
    why: 'who of the staff did what; what patients do to their own accounts is not here',
    howLong: 'for good',
    readers: '`audit:read`; operators',
    people: [
      {
        who: 'the member of staff',
        found: {
          described: '`actor`, which is not part of any key; `subject` too, where staff change their own account',
        },
        onErasure: {
          keep: 'staff stay accountable (GDPR Art. 5 (2)); a random id names them',
          until: 'for good',
        },
        inExport: false,
      },
      {
        who: 'the user who was affected',
        found: { described: '`subject`, which is not part of any key' },
        onErasure: {
          keep: 'who held, closed or disabled an account, answered a flag or changed a group is evidence; a random id names the user, which nothing else holds after the erasure',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
