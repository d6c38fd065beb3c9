import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Courses: {
    holds: 'courses as they are published. About no person',
    why: 'the content of courses and their order',
    howLong: 'for good: results of quizzes refer to their version',
    readers: 'patients',
    people: [],
  },
  LearningProgress: {
    holds: 'which units of courses a user began and completed, how far, when; answers to quizzes and their score',
    why: 'continuing where the user stopped, also on another phone; what unlocks next',
    howLong: 'until the erasure',
    readers: 'the user; with a care relation and `data-sharing`, `patients:read`: what is completed; operators',
    inGerman: {
      holds:
        'welche Einheiten von Kursen begonnen und abgeschlossen wurden, wie weit, wann; Antworten auf Quizfragen und ihr Ergebnis',
      why: 'weiterlernen, wo man war, auch auf einem anderen Telefon; was als Nächstes freigeschaltet wird',
      howLong: 'bis zur Löschung',
      readers:
        'die Person selbst; was abgeschlossen ist, auch Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb',
    },
    people: [{ who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['revision'] } }],
  },
};
