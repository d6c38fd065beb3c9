import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

export const data: DataOf<typeof tables> = {
  Courses: {
    level: 'internal',
    holds: 'courses as they are published. About no person',
    why: 'the content of courses and their order',
    howLong: 'for good: results of quizzes refer to their version',
    readers: 'patients',
    people: [],
  },
  LearningProgress: {
    level: 'health',
    holds:
      'which units of courses a user began and completed, how far the user got in each, and when; answers to quizzes and their scores',
    why: 'the user continues at the same place, also on another phone; the next units are unlocked',
    howLong: 'until the erasure',
    readers:
      'the user; callers with `patients:read`, a care relation and `data-sharing`: the completed units; operators',
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
