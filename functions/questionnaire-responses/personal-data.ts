import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

/** In one transaction, so that nobody decides about a flag that is gone. */
const withItsDecisions = {
  becomes: 'erased',
  by: 'eraseQuestionnaireFlags',
  uses: [
    read(tables.QuestionnaireFlags),
    discard(tables.QuestionnaireFlags),
    read(tables.FlagDecisions),
    discard(tables.FlagDecisions),
  ],
} as const;

export const data: DataOf<typeof tables> = {
  QuestionnaireResponses: {
    level: 'health',
    holds: 'answers to questionnaires, including free text; scores; the times of both; which reminders were sent',
    why: 'therapy and its course',
    howLong: 'until the erasure; a deleted draft leaves its id and times',
    readers:
      'the user; callers with `patients:read`, a care relation and `data-sharing`: completed responses; operators',
    inGerman: {
      holds:
        'Antworten auf Fragebögen, auch als freier Text, Auswertungen, Zeiten; welche Erinnerungen verschickt wurden',
      why: 'die Therapie und ihr Verlauf',
      howLong: 'bis zur Löschung; von einem gelöschten Entwurf bleiben Kennung und Zeiten',
      readers:
        'die Person selbst; was abgeschlossen ist, auch Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: 'erase',
        // The export has each response once, although a completed response has three rows.
        inExport: { by: 'readAllResponses', uses: [read(tables.QuestionnaireResponses)] },
      },
    ],
  },
  QuestionnaireFlags: {
    level: 'health',
    holds:
      "the user's id; which response raised which flag, and when; who acknowledged the flag, how it ended and by whom",
    why: 'a person looks at an answer that must not wait',
    howLong: 'until the erasure of the user',
    readers: '`questionnaires:flags`; operators',
    inGerman: {
      holds:
        'die Kennung der Person, welche Antwort welchen Hinweis ausgelöst hat, wann; wer ihn bestätigt hat, wie er endete und durch wen',
      why: 'ein Mensch sieht sich eine Antwort an, die nicht warten darf',
      howLong: 'bis zur Löschung',
      readers: 'wer für die Sicherheit der Patientinnen und Patienten zuständig ist; der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: { described: '`user#<id>`, and from there each flag' },
        onErasure: withItsDecisions,
        // Without the ids of the people who acknowledged and ended it.
        inExport: { by: 'readAllFlags', uses: [read(tables.QuestionnaireFlags)] },
      },
      {
        who: 'the people who acknowledged and ended it',
        found: { described: '`acknowledgedBy` and `endedBy`, which are not part of any key' },
        onErasure: {
          keep: 'the people who took care of it stay accountable; random ids name them',
          until: "the user's erasure",
        },
        inExport: false,
      },
    ],
  },
  FlagDecisions: {
    level: 'health',
    holds: "the user's id; which flag somebody acknowledged or ended, how, when and who",
    why: 'it stays known who took care of an answer that must not wait',
    howLong: 'until the erasure of the user',
    readers: 'the functions that guard flags; operators',
    inGerman: {
      holds: 'welcher Hinweis bestätigt wurde oder wie er endete, wann und durch wen',
      why: 'es bleibt nachvollziehbar, wer sich um eine Antwort gekümmert hat, die nicht warten darf',
      howLong: 'bis zur Löschung',
      readers: 'die Funktionen, die auf Hinweise achten; der Betrieb',
    },
    people: [
      {
        who: 'the user',
        found: 'partition',
        onErasure: withItsDecisions,
        inExport: { without: ['by', 'decision'] },
      },
      {
        who: 'the people who decided',
        found: { described: '`by`, which is not part of any key' },
        onErasure: {
          keep: 'the people who took care of it stay accountable; random ids name them',
          until: "the user's erasure",
        },
        inExport: false,
      },
    ],
  },
  QuestionnaireEvidence: {
    level: 'health',
    holds: 'rows of answers and flags, as they were before and after somebody changed them who may not, and when',
    why: 'an attack on answers and flags can be seen and undone',
    howLong: 'until the erasure of the user',
    readers: 'operators',
    inGerman: {
      holds:
        'Antworten und Hinweise, wie sie vor und nach einer unerlaubten Änderung waren, und wann; in der Kopie nur wann',
      why: 'ein Angriff auf Antworten und Hinweise fällt auf und lässt sich rückgängig machen',
      howLong: 'bis zur Löschung',
      readers: 'der Betrieb',
    },
    people: [{ who: 'the user', found: 'partition', onErasure: 'erase', inExport: { without: ['before', 'after'] } }],
  },
};
