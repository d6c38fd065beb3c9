import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ResearchExports: {
    level: 'internal',
    holds:
      'when an export of a study was requested, its progress, and the names, sizes and hashes of its files. About no person',
    why: 'research with the data of people who agreed to it',
    howLong: 'for good: the recipients of the files must learn of revocations and erasures',
    readers: '`research:admin`; operators',
    people: [],
  },
  ResearchExportPages: {
    level: 'internal',
    holds: 'how many participants a page of an export has. About no person',
    why: 'after a crash an export continues where it stopped',
    howLong: '7 days',
    readers: 'the function that writes exports; operators',
    people: [],
  },
  ResearchExportContents: {
    level: 'health',
    holds:
      'the pseudonym of a participant, the exports that have data of this participant, a keyed hash of the consent record, and the version that the participant agreed to',
    why: 'recipients of an export must learn of a revocation, an erasure or a correction (GDPR Art. 19)',
    howLong: 'for good: copies of an export may be anywhere',
    readers: 'the function that writes exports and notices; operators',
    people: [
      {
        who: 'the participant, by pseudonym',
        found: { described: 'the pseudonym, which is computed from the user id with the key of the study' },
        onErasure: {
          keep: 'recipients of the files must learn of the erasure; the row has no user id',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
  ResearchExportNotices: {
    level: 'health',
    holds:
      'the pseudonym of a participant, the export, what happened (the participant left, was erased, or corrected an answer or a diary entry), and when',
    why: 'recipients of an export must learn of it (GDPR Art. 19)',
    howLong: 'for good: copies of an export may be anywhere',
    readers: '`research:admin`; operators',
    people: [
      {
        who: 'the participant, by pseudonym',
        found: { described: 'the pseudonym, which is computed from the user id with the key of the study' },
        onErasure: {
          keep: 'it tells recipients of the files which rows they have to delete; the row has no user id',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
