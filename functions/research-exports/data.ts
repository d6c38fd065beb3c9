import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ResearchExports: {
    holds: 'when the files of a study were requested, how far they are, their names, sizes and hashes. About no person',
    why: 'research with data of those who agreed to it',
    howLong: 'for good: whoever has the files is to be told of revocations and erasures',
    readers: '`research:admin`; operators',
    people: [],
  },
  ResearchExportPages: {
    holds: 'how many participants a page of an export has. About no person',
    why: 'an export goes on after a crash',
    howLong: '7 days',
    readers: 'the function that writes exports; operators',
    people: [],
  },
  ResearchExportContents: {
    holds:
      'pseudonym, which export of a study has data of the participant, a keyed hash of the consent record, its version',
    why: 'recipients are told of a revocation, an erasure or a correction (GDPR Art. 19)',
    howLong: 'for good: copies of an export may be anywhere',
    readers: 'the function that writes exports and notices; operators',
    people: [
      {
        who: 'the participant, by pseudonym',
        found: { described: 'the pseudonym, which the key of the study makes of the user id' },
        onErasure: {
          keep: 'recipients of the files have to be told of the erasure; no user id is in it',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
  ResearchExportNotices: {
    holds:
      'pseudonym, which export of a study, that the participant left, was erased or corrected an answer or a diary entry, when',
    why: 'recipients of an export have to be told (GDPR Art. 19)',
    howLong: 'for good: copies of an export may be anywhere',
    readers: '`research:admin`; operators',
    people: [
      {
        who: 'the participant, by pseudonym',
        found: { described: 'the pseudonym, which the key of the study makes of the user id' },
        onErasure: {
          keep: 'it says to recipients of the files whose rows they have to delete; no user id is in it',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
