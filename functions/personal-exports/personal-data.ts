import { clear } from '../../lib/contract/bucket-uses.ts';
import type { DataOf } from '../../lib/contract/personal-data.ts';
import { remove } from '../../lib/contract/uses.ts';
import { PersonalExportFiles } from './buckets.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  PersonalExports: {
    level: 'personal',
    holds: 'user id, when an export was requested, its progress and size',
    why: 'the copy of their data that people have a right to (GDPR Art. 15, 20)',
    howLong: '7 days, or until the erasure',
    readers: 'the user; operators',
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: {
          becomes: 'erased',
          by: 'eraseExports',
          uses: [remove(tables.PersonalExports), clear(PersonalExportFiles)],
        },
        // An export says when it was made; of earlier exports only their existence is known.
        inExport: false,
      },
    ],
  },
};
