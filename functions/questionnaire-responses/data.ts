import type { DataOf } from '../../lib/contract/personal-data.ts';
import { read, replace } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  QuestionnaireResponses: {
    holds: 'answers to questionnaires, free text among them, scores, when; which reminders were sent',
    why: 'therapy and its course',
    howLong: 'until the erasure; a deleted draft leaves its id and times',
    readers: 'the user; operators',
    people: [{ who: 'the user', found: 'partition', onErasure: 'erase', inExport: true }],
  },
  QuestionnaireFlags: {
    holds: "the user's id, which response raised which flag, when; who acknowledged it",
    why: 'a person looks at an answer that must not wait',
    howLong: 'until the erasure of the user',
    readers: '`questionnaires:flags`; operators',
    people: [
      {
        who: 'the user',
        found: { described: '`user#<id>`, and from there each flag' },
        onErasure: {
          becomes: 'erased',
          by: 'eraseQuestionnaireFlags',
          uses: [read(tables.QuestionnaireFlags), replace(tables.QuestionnaireFlags)],
        },
        inExport: true,
      },
      {
        who: 'who acknowledged it',
        found: { described: '`acknowledgedBy`, which no key holds' },
        onErasure: { keep: 'who saw to it stays accountable; a random id names them', until: "the user's erasure" },
        inExport: false,
      },
    ],
  },
};
