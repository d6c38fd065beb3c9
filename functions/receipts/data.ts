import type { DataOf } from '../../lib/contract/personal-data.ts';
import { ConsentStates } from '../consents/tables.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ConsentReceipts: {
    holds: 'signed receipts: a record and its signature',
    why: 'a proof that the user can keep',
    howLong: 'with the records',
    readers: 'the user; operators',
    people: [
      {
        who: 'the user',
        found: { through: ConsentStates, fields: ['userId', 'agreementId'] },
        onErasure: { keep: 'it proves what the record does', until: 'with the records: `release-consents`' },
        inExport: true,
      },
    ],
  },
  PublicKeys: {
    holds: 'public keys',
    why: 'verifying receipts',
    howLong: 'for good',
    readers: 'everybody: they are published',
    people: [],
  },
};
