import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  MailRecords: {
    holds:
      'keyed hashes of e-mail addresses and of codes, times; for a sign-up the language, the time zone and the user id of the account that it makes; for a change of address the user id',
    why: 'codes that are sent by mail, and no more than five mails an hour to an address',
    howLong: 'two weeks at most, hashes of codes 15 minutes; then deleted',
    readers: 'the functions of mail and accounts; operators, who cannot read the addresses or the codes',
    people: [
      {
        who: 'the owner of the address',
        found: { described: '`…#<keyed hash of the address>`, which no table lists' },
        onErasure: {
          keep: 'nobody can read the address from the hash, and the address may have no account',
          until: 'two weeks',
        },
        inExport: false,
      },
    ],
  },
};
