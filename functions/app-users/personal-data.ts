import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  UserDirectory: {
    level: 'personal',
    holds: 'user id, when the user was made, whether the account is disabled',
    why: 'lists of the users',
    howLong: 'until the erasure',
    readers: 'staff with `users:read`; operators',
    people: [
      {
        who: 'the user',
        found: { described: '`user#<userId>`, and `<createdAt>#<userId>` in the lists' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseEntry',
          uses: [read(tables.UserDirectory), discard(tables.UserDirectory)],
        },
        // The profile has it.
        inExport: false,
      },
    ],
  },
};
