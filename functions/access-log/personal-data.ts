import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

const accountable = {
  keep: 'the controller must be able to prove the reason for each look (GDPR Art. 5 (2), 32)',
  until: '3 years after the look, by its expiry',
};

export const data: DataOf<typeof tables> = {
  AccessLog: {
    level: 'health',
    holds:
      'whose data was looked at; who looked, with name, roles and site; when, by which route, on which consent record',
    why: 'a person sees who looked at their data',
    howLong: '3 years, then deleted',
    readers: 'the user; operators',
    inGerman: {
      holds:
        'wessen Daten gesehen wurden; wer sie sah, mit Namen, Rolle und Einrichtung; wann, auf welchem Weg und auf welche Einwilligung hin',
      why: 'Sie sehen, wer Ihre Daten gesehen hat',
      howLong: '3 Jahre, dann gelöscht',
      readers: 'die Person selbst; der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: accountable,
        inExport: { without: ['by', 'requestId', 'expiresAt'] },
      },
      {
        who: 'the member of staff who looked',
        found: { described: '`by`, which is not part of any key' },
        onErasure: accountable,
        inExport: false,
      },
    ],
  },
};
