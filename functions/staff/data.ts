import type { DataOf } from '../../lib/contract/personal-data.ts';
import { adjust, read, replace } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  StaffAccounts: {
    holds: 'user id, e-mail address, roles and state of a member of staff; which of them are administrators',
    why: 'what each member of staff may do',
    howLong: 'until the erasure',
    readers: "the user; `iam:admin`; the authorizer of the staff's application; operators",
    people: [
      {
        who: 'the member of staff',
        found: { described: 'the sort key below `staff`; a member of the set in `roster`' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseStaffAccount',
          uses: [read(tables.StaffAccounts), replace(tables.StaffAccounts), adjust(tables.StaffAccounts)],
        },
        inExport: { by: 'readOwnStaffAccount', uses: [read(tables.StaffAccounts)] },
      },
    ],
  },
};
