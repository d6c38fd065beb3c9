import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  MailRecords: {
    level: 'secret',
    holds:
      'keyed hashes of e-mail addresses and of codes, times; for a sign-up the language, the time zone and the user id of the account that it makes; for a change of address the user id; under the hash of a user id, when the user said "this was not me", and the former addresses of the last 7 days, sealed; under the hash of such an address the hash of the user id',
    why: 'codes that are sent by mail, no more than five mails an hour to an address, and links that secure an account',
    howLong: 'two weeks at most, hashes of codes 10 minutes, of invitations 24 hours; then deleted',
    readers:
      'the functions of mail and accounts; operators, who cannot read the addresses or the codes without `MailKey`',
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
      {
        who: 'a user who changed the address, or said "this was not me"',
        found: { described: '`account#<hash of the user id>`, which no table lists' },
        onErasure: { keep: 'nobody can read the addresses without `MailKey`', until: 'two weeks' },
        inExport: false,
      },
    ],
  },
};
