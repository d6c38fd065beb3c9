import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  AuditEvents: {
    level: 'health',
    holds:
      "the user id of a member of staff, what they did, to whom, when: administration, groups, patients' flags and tickets, download links of the files of studies, their own recovery codes",
    why: 'proof of which member of staff did what; it does not have what patients do to their own accounts',
    howLong: 'for good',
    readers: '`audit:read`; operators',
    people: [
      {
        who: 'the member of staff',
        found: {
          described: '`actor`, which is not part of any key; also `subject`, if staff change their own account',
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
          keep: 'it is evidence of who held, closed or disabled an account, answered a flag or changed a group; a random id names the user, and no other data has this id after the erasure',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
