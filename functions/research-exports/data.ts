import type { DataOf } from '../../lib/contract/personal-data.ts';
import { remove, write } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  ResearchExports: {
    holds: 'when the files of a study were requested, how far they are, their names, sizes and hashes. About no person',
    why: 'research with data of those who agreed to it',
    howLong: 'for good: whoever has the files is to be told of revocations and erasures',
    readers: '`research:admin`; operators',
    people: [],
  },
  ResearchExportPages: {
    holds: 'how many rows a page of an export has. About no person',
    why: 'an export goes on after a crash',
    howLong: '7 days',
    readers: 'the function that writes exports; operators',
    people: [],
  },
  ResearchExportContents: {
    holds: 'user id, which export of which study has the user’s data, pseudonym, the consent record that it rests on',
    why: 'recipients are told of a revocation, an erasure or a correction (GDPR Art. 19)',
    howLong: 'until the erasure',
    readers: 'the functions that write exports and notices; operators',
    inGerman: {
      holds: 'Nutzerkennung, welcher Export welcher Studie Daten der Person enthält, auf welche Einwilligung hin',
      why: 'wer die Daten erhalten hat, erfährt von Widerruf, Löschung oder Berichtigung (DSGVO Art. 19)',
      howLong: 'bis zur Löschung',
      readers: 'die Funktionen, die Exporte und Hinweise schreiben; der Betrieb',
    },
    people: [
      {
        who: 'the participant',
        found: 'partition',
        onErasure: {
          becomes: 'erased',
          by: 'eraseExportContents',
          uses: [remove(tables.ResearchExportContents), write(tables.ResearchExportNotices)],
        },
        inExport: { without: ['exportKey', 'pseudonym'] },
      },
    ],
  },
  ResearchExportNotices: {
    holds: 'pseudonym, which export of a study, that the participant left, was erased or corrected an answer, when',
    why: 'recipients of an export have to be told (GDPR Art. 19)',
    howLong: 'for good: copies of an export may be anywhere',
    readers: '`research:admin`; operators',
    people: [
      {
        who: 'the participant, by pseudonym',
        found: { described: 'the pseudonym in the `ResearchExportContents` of a user' },
        onErasure: {
          keep: 'it says to recipients of the files whose rows they have to delete; no user id is in it',
          until: 'for good',
        },
        inExport: false,
      },
    ],
  },
};
