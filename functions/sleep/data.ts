import type { DataOf } from '../../lib/contract/personal-data.ts';
import type * as tables from './tables.ts';

const patient = { who: 'the patient', found: 'partition', onErasure: 'erase', inExport: true } as const;

export const data: DataOf<typeof tables> = {
  SleepEntries: {
    holds:
      'nights as the patient wrote them down: times, awakenings, quality, naps, medication, alcohol, caffeine, notes, time ' +
      'zone; when they were written',
    why: 'the sleep diary',
    howLong: 'until the erasure; of a deleted entry its date alone',
    readers: "the patient; physicians of the patient's sites with the consent `data-sharing`; operators",
    people: [patient],
  },
  SleepEpisodes: {
    holds: 'nights as devices recorded them: source, its id, times, stages, time zone',
    why: 'the sleep diary',
    howLong: 'until the erasure',
    readers: "the patient; physicians of the patient's sites with the consent `data-sharing`; operators",
    people: [patient],
  },
  SleepWindows: {
    holds: 'sleep windows: times, the week and the rules that they rest on, when and by whom they were released',
    why: 'sleep restriction therapy',
    howLong: 'until the erasure',
    readers: "the patient; physicians of the patient's sites with the consent `data-sharing`; operators",
    people: [
      patient,
      {
        who: 'the physician who released it',
        found: { described: '`releasedBy`, which no key holds' },
        onErasure: {
          keep: "the prescription is its patient's; a random id names the physician",
          until: "the patient's erasure",
        },
        inExport: false,
      },
    ],
  },
};
