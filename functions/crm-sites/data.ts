import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  CareRelations: {
    holds: 'user id, site, since when',
    why: 'the staff of a site can look at the data of its patients',
    howLong: 'until the patient leaves the site, or the erasure',
    readers: "the user; the site's staff; operators",
    people: [{ who: 'the patient', found: 'partition', onErasure: 'erase', inExport: true }],
  },
  Staff: {
    holds: 'user id, the name that patients see, the sites that the member of staff works at',
    why: 'who works where',
    howLong: 'until the erasure',
    readers: 'the user; `crm:admin`; patients whose data they looked at (the name); operators',
    people: [{ who: 'the member of staff', found: 'partition', onErasure: 'erase', inExport: true }],
  },
};
