import type { Cell } from './csv.ts';

/** The columns of each file of an export, with their meaning for the codebook. No column has free text. Pure. */

/** What a value must be. Who may write patients' rows could put somebody's name anywhere. Codes are checked where a row is made. */
const forms = {
  code: (cell: unknown) => typeof cell !== 'object',
  integer: Number.isFinite,
  decimal: Number.isFinite,
  boolean: (cell: unknown) => typeof cell === 'boolean',
  date: (cell: unknown) => /^\d{4}-\d\d-\d\d$/.test(String(cell)),
  'local date and time': (cell: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(String(cell)),
};

export type Column = {
  readonly name: string;
  readonly type: keyof typeof forms;
  readonly unit?: string;
  readonly meaning: string;
};

export type Row = Readonly<Record<string, Cell>>;

const fileNames = ['participants', 'diary', 'episodes', 'questionnaires', 'learning'] as const;
export type FileName = (typeof fileNames)[number];

const pseudonym: Column = {
  name: 'pseudonym',
  type: 'code',
  meaning:
    'The participant: the same pseudonym in each file and each export of this study, and a different one in every other study',
};

const code = (name: string, meaning: string): Column => ({ name, type: 'code', meaning });
const date = (name: string, meaning: string): Column => ({ name, type: 'date', meaning });
const moment = (name: string, meaning: string): Column => ({ name, type: 'local date and time', meaning });
const minutes = (name: string, meaning: string): Column => ({ name, type: 'integer', unit: 'min', meaning });
const seconds = (name: string, meaning: string): Column => ({ name, type: 'integer', unit: 's', meaning });
const count = (name: string, meaning: string): Column => ({ name, type: 'integer', meaning });
const percent = (name: string, meaning: string): Column => ({ name, type: 'decimal', unit: '%', meaning });
const flag = (name: string, meaning: string): Column => ({ name, type: 'boolean', meaning });

const diary: readonly Column[] = [
  date('date', 'Date of waking up, by the clock where the participant was'),
  flag('slept', 'Whether the participant slept at all'),
  moment('inBedAt', 'Went to bed'),
  moment('lightsOffAt', 'Began to try to sleep'),
  minutes('sleepOnsetMinutes', 'Sleep onset latency (SOL)'),
  count('awakenings', 'Number of awakenings'),
  minutes('wakeMinutes', 'Wake after sleep onset (WASO)'),
  moment('finalWakeAt', 'Final awakening'),
  minutes('tryingToSleepAfterWakeMinutes', 'Time attempting to sleep after the final awakening (TASAFA)'),
  moment('outOfBedAt', 'Got up'),
  { name: 'quality', type: 'integer', meaning: 'Quality of sleep, 1 (very poor) to 5 (very good)' },
  count('napCount', 'Number of naps stated with the night'),
  minutes('napMinutes', 'Their length together'),
  count('medicationCount', 'Number of medications taken; their names are free text and not exported'),
  { name: 'alcoholDrinks', type: 'decimal', unit: 'drinks', meaning: 'Drinks with alcohol' },
  { name: 'caffeineDrinks', type: 'decimal', unit: 'drinks', meaning: 'Drinks with caffeine' },
  minutes('timeInBedMinutes', 'Time in bed (TIB), its true length also where summer time begins or ends'),
  minutes('totalSleepMinutes', 'Total sleep time (TST)'),
  minutes('totalSleep24hMinutes', 'TST of 24 hours: the night and the naps; empty if nothing was said about naps'),
  percent('efficiencyPercent', 'Sleep efficiency: TST by TIB'),
  percent('episodeEfficiencyPercent', 'Sleep efficiency: TST by the duration of the sleep episode'),
];

const episodes: readonly Column[] = [
  date('date', 'Date on which it ended, by the clock where the participant was'),
  code('source', 'healthkit, health-connect or fitbit'),
  moment('startAt', 'Beginning'),
  moment('endAt', 'End'),
  seconds('inBed', 'In bed, as the source says'),
  seconds('asleepUnspecified', 'Asleep, stage not known'),
  seconds('awake', 'Awake'),
  seconds('asleepCore', 'Light or intermediate sleep'),
  seconds('asleepDeep', 'Deep sleep'),
  seconds('asleepREM', 'REM sleep'),
];

const questionnaires: readonly Column[] = [
  code('response', 'The completed questionnaire that the row is of'),
  code('questionnaireId', 'Which questionnaire'),
  code('version', 'Its version, by which the codebook explains the variable'),
  date('completedOn', 'Date of completion (UTC)'),
  code('kind', 'answer or score'),
  code('variable', 'The item’s linkId, or the score’s id'),
  code('type', 'The item’s type; of a score, decimal'),
  code('value', 'The number, true or false, the clock time, or the code of the option'),
  { name: 'optionScore', type: 'decimal', meaning: 'The score of the chosen option, if it has one' },
  code('band', 'The band that a score is in'),
  count('missing', 'How many answers a score was reckoned without'),
];

const learning: readonly Column[] = [
  code('courseId', 'Which course'),
  code('unitId', 'Which unit of it'),
  percent('percent', 'How much of it was seen'),
  date('completedOn', 'Date of completion (UTC); empty where it was not completed'),
  count('quizScore', 'Questions answered rightly'),
  count('quizMaxScore', 'Questions asked'),
];

const identifierMeanings: Readonly<Record<string, string>> = {
  timezone: 'Time zone of the profile',
  locale: 'Language and region of the profile',
  group: 'Group of the study that the participant is in',
};

/** @param identifiers the quasi-identifiers that the study declares */
export function columnsOf(file: FileName, identifiers: readonly string[]): readonly Column[] {
  const of = { diary, episodes, questionnaires, learning, participants: participantsWith(identifiers) };
  return [pseudonym, ...of[file]];
}

function participantsWith(identifiers: readonly string[]): Column[] {
  // A study compares its groups. So the column exists even if the group is not declared as a quasi-identifier.
  const names = [...new Set([...identifiers, 'group'])];
  return [
    date('enrolledOn', 'Date of joining the study (UTC)'),
    code('consentVersion', 'Version of the agreement that the consent is to'),
    ...names.map((name) => code(name, identifierMeanings[name] ?? name)),
  ];
}

/** The values in the order of the columns; null for a missing value, and for one that is not of its column's form. */
export function cellsOf(columns: readonly Column[], row: Row): Cell[] {
  return columns.map(({ name, type }) => {
    const cell = row[name] ?? null;
    return forms[type](cell) ? cell : null;
  });
}
