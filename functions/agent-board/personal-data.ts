import type { DataOf } from '../../lib/contract/personal-data.ts';
import { read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  AgentBoardMessages: {
    level: 'health',
    holds: 'title and text of messages, which may be about health; when each was read; the user id of the author',
    why: 'the agent board',
    howLong: 'until the erasure',
    readers: 'the user; operators. Staff write messages and cannot read them',
    inGerman: {
      holds: 'Titel und Text von Nachrichten, die von der Gesundheit handeln können, und wann sie gelesen wurden',
      why: 'die Nachrichten in der App',
      howLong: 'bis zur Löschung',
      readers: 'die Person selbst; der Betrieb. Mitarbeitende schreiben und können nicht lesen',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: 'erase',
        // As the list of messages has them: that they were read may be said by another row.
        inExport: { by: 'readAllMessages', uses: [read(tables.AgentBoardMessages)] },
      },
      {
        who: 'the author',
        found: { described: '`authorId`, which is not part of any key' },
        onErasure: {
          keep: 'the message belongs to its recipient; a random id names the author',
          until: "the recipient's erasure",
        },
        inExport: false,
      },
    ],
  },
};
