import type { DataOf } from '../../lib/contract/personal-data.ts';
import { discard, read } from '../../lib/contract/uses.ts';
import * as tables from './tables.ts';

const patient = { who: 'the patient', found: 'partition', onErasure: 'erase' } as const;
const readers = 'the patient; callers with `patients:read`, a care relation and `data-sharing`; operators';
/** Each window with the row of its run, in one transaction. */
const withItsRun = {
  becomes: 'erased',
  by: 'eraseSleepWindows',
  uses: [read(tables.SleepWindows), discard(tables.SleepWindows), discard(tables.SleepWindowRuns)],
} as const;
const inGerman = {
  why: 'das Schlaftagebuch',
  howLong: 'bis zur Löschung',
  readers: 'die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb',
};

export const data: DataOf<typeof tables> = {
  SleepEntries: {
    level: 'health',
    holds:
      'nights as the patient wrote them down: times, awakenings, quality, naps, medication, alcohol, caffeine, notes, whether they nodded off, time ' +
      'zone; when they were written',
    why: 'the sleep diary',
    howLong: 'until the erasure; a deleted entry leaves its date and the times of writing',
    readers,
    inGerman: {
      ...inGerman,
      holds:
        'Nächte, wie die Person sie aufgeschrieben hat: Zeiten, Wachliegen, Qualität, Nickerchen, Medikamente, Alkohol, Koffein, ' +
        'Notizen, Einnicken, Zeitzone; wann sie aufgeschrieben wurden',
      howLong: 'bis zur Löschung; von einem gelöschten Eintrag bleiben Datum und Zeiten',
    },
    people: [{ ...patient, inExport: { without: ['revision', 'fingerprint'] } }],
  },
  SleepEpisodes: {
    level: 'health',
    holds: 'nights as devices recorded them: the source and its id, times, sleep stages, time zone',
    why: 'the sleep diary',
    howLong: 'until the erasure',
    readers,
    inGerman: {
      ...inGerman,
      holds: 'Nächte, wie Geräte sie aufgezeichnet haben: Quelle, deren Kennung, Zeiten, Schlafphasen, Zeitzone',
    },
    people: [{ ...patient, inExport: { without: ['fingerprint'] } }],
  },
  SleepWindows: {
    level: 'health',
    holds:
      'sleep windows: their times; the week and the rules that each is based on; when they were released, replaced or withdrawn, and by whom; when ' +
      'signs of sleepiness, of a low mood and of an excluding answer arrived that a decision knew',
    why: 'sleep restriction therapy',
    howLong: 'until the erasure',
    readers,
    inGerman: {
      ...inGerman,
      holds:
        'Schlaffenster: Zeiten, die Woche und die Regeln, auf denen sie beruhen, wann und von wem sie freigegeben, ersetzt oder zurückgenommen wurden; ' +
        'wann die Zeichen von Schläfrigkeit, gedrückter Stimmung und ausschließenden Antworten eintrafen, die bei einer Entscheidung bekannt waren',
      why: 'die Schlafrestriktion',
    },
    people: [
      // The id of the person who released it is another person's data.
      { ...patient, onErasure: withItsRun, inExport: { without: ['releasedBy'] } },
      {
        who: 'the physician who released it',
        found: { described: '`releasedBy`, which is not part of any key' },
        onErasure: {
          keep: 'the prescription belongs to its patient; a random id names the physician',
          until: "the patient's erasure",
        },
        inExport: false,
      },
    ],
  },
  SleepinessSigns: {
    level: 'health',
    holds: 'nights for which the diary said that the patient nodded off, and when it said so',
    why: 'the safety of sleep restriction therapy',
    howLong: 'until the erasure',
    readers,
    inGerman: {
      ...inGerman,
      holds: 'Nächte, zu denen im Tagebuch ein Einnicken stand, und wann das dort stand',
      why: 'die Sicherheit der Schlafrestriktion',
    },
    people: [{ ...patient, inExport: { without: ['fingerprint', 'sign'] } }],
  },
  SleepWindowRuns: {
    level: 'health',
    holds: 'whose sleep windows began when, by month',
    why: 'reminders of questionnaires find the patients who have a sleep window, without reading all users',
    howLong: 'until the window is withdrawn, or the therapy is over, or the erasure',
    readers: 'operators',
    inGerman: {
      holds: 'bei wem Schlaffenster wann begonnen haben, nach Monaten',
      why: 'Erinnerungen an Fragebögen finden, wer ein Schlaffenster hat, ohne alle Personen zu lesen',
      howLong: 'bis das Fenster zurückgenommen wird, die Therapie endet, oder bis zur Löschung',
      readers: 'der Betrieb',
    },
    people: [
      {
        who: 'the patient',
        found: { described: '`month` and `run`; both follow from the rows of `SleepWindows`' },
        onErasure: withItsRun,
        // It says the same as `SleepWindows`.
        inExport: false,
      },
    ],
  },
};
