import type { Dialect } from './dialects.ts';

/**
 * Views over the exported tables, for researchers and auditors: a row for each consent record, night, score and look. No view has
 * free text, an e-mail address or a name. Times are in UTC, durations in minutes.
 */

/** `day`: the number of days since 1970-01-01, so two days can be subtracted in any engine. `week`: the Monday of the week (ISO 8601). */
type Kind = 'text' | 'whole' | 'number' | 'time' | 'date' | 'day' | 'week';

type Column = readonly [name: string, kind: Kind, path: string];

export type View = {
  readonly name: string;
  /** The table's name in its domain. Its raw export is `export_<name>`, with one row of JSON for each item. */
  readonly table: ExportedTable;
  /** The path of an array in the item. Each element becomes a row; a path of a column that begins with `@` is in the element. */
  readonly each?: string;
  readonly columns: readonly Column[];
  /** Only rows whose text at each path is one of these values (null means that there is no text). */
  readonly where: readonly (readonly [path: string, isOneOf: readonly (string | null)[]])[];
  /** Only rows that have a text at this path. */
  readonly needs?: string;
  /** The path of the expiry, in seconds since 1970. DynamoDB deletes an expired row some days later, and exports it until then. */
  readonly expires?: string;
  /** The beginning of the sort key, if a table has several kinds of rows. */
  readonly part?: readonly [path: string, prefix: string];
};

/** The tables that are exported. `Users` is not one of them: no question needs to know who somebody is. */
export const exportedTables = [
  'AccessLog',
  'Accounts',
  'ConsentRecords',
  'Devices',
  'QuestionnaireResponses',
  'SleepEntries',
] as const;

export type ExportedTable = (typeof exportedTables)[number];

/** `ConsentRecords` → `export_consent_records` */
export function rawName(table: ExportedTable): string {
  return `export${table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

const item = (name: string, type: 'S' | 'N' | 'BOOL' = 'S') => `$.Item.${name}.${type}`;
const night = (name: string) => `$.Item.night.M.${name}.N`;

export const views: readonly View[] = [
  {
    name: 'consent_records',
    table: 'ConsentRecords',
    columns: [
      ['user_id', 'text', item('userId')],
      ['agreement_id', 'text', item('agreementId')],
      ['recorded_at', 'time', item('recordedAt')],
      ['recorded_day', 'day', item('recordedAt')],
      ['recorded_week', 'week', item('recordedAt')],
      ['record_number', 'whole', item('sequence', 'N')],
      ['record_id', 'text', item('recordId')],
      ['decision', 'text', item('action')],
      ['version_id', 'text', item('versionId')],
      ['text_locale', 'text', item('locale')],
      ['app_version', 'text', item('appVersion')],
      ['record_source', 'text', item('source')],
    ],
    where: [],
    // A row that has only keys is not a record (decision 21).
    needs: item('hash'),
    expires: item('expiresAt', 'N'),
  },
  {
    name: 'account_ends',
    table: 'Accounts',
    each: '$.Item.ends.L',
    columns: [
      ['user_id', 'text', item('userId')],
      ['ended_at', 'time', '@.S'],
      // The present state of the account: the user may have taken the deletion back.
      ['is_closed', 'text', item('isClosed', 'BOOL')],
    ],
    where: [[item('part'), ['account']]],
  },
  {
    name: 'diary_entries',
    table: 'SleepEntries',
    columns: [
      ['user_id', 'text', item('userId')],
      ['wake_date', 'date', item('date')],
      ['wake_day', 'day', item('date')],
      ['wake_week', 'week', item('date')],
      ['time_in_bed', 'whole', night('timeInBed')],
      ['total_sleep', 'whole', night('totalSleep')],
      ['sleep_onset', 'whole', night('sleepOnset')],
      ['awake', 'whole', night('wake')],
      ['quality', 'whole', night('quality')],
      ['recorded_at', 'time', item('recordedAt')],
      ['received_at', 'time', item('updatedAt')],
    ],
    where: [[item('isDeleted', 'BOOL'), ['false']]],
  },
  {
    name: 'scores',
    table: 'QuestionnaireResponses',
    each: '$.Item.scores.L',
    columns: [
      ['user_id', 'text', item('userId')],
      ['response_id', 'text', item('responseId')],
      ['questionnaire_id', 'text', item('questionnaireId')],
      ['questionnaire_version', 'text', item('version')],
      ['completed_at', 'time', item('completedAt')],
      ['completed_day', 'day', item('completedAt')],
      ['completed_week', 'week', item('completedAt')],
      ['score_id', 'text', '@.M.scoreId.S'],
      ['score', 'number', '@.M.value.N'],
      ['band_id', 'text', '@.M.bandId.S'],
    ],
    // A completed response also has two rows for the lists, which are left out. A response that was corrected is left out, too.
    part: [item('part'), 'response#'],
    where: [
      [item('status'), ['completed']],
      [item('amendedBy'), [null]],
    ],
  },
  {
    name: 'looks',
    table: 'AccessLog',
    columns: [
      ['user_id', 'text', item('userId')],
      ['looked_at', 'time', item('at')],
      ['looked_week', 'week', item('at')],
      ['looked_by', 'text', item('by')],
      ['looked_from_site', 'text', item('siteId')],
      ['relation', 'text', item('relation')],
      ['route', 'text', item('action')],
      ['agreement_id', 'text', item('agreementId')],
      ['consent_record_id', 'text', item('consentRecordId')],
    ],
    where: [],
    needs: item('by'),
    expires: item('expiresAt', 'N'),
  },
  {
    name: 'devices',
    table: 'Devices',
    columns: [
      ['user_id', 'text', item('userId')],
      ['device_id', 'text', item('deviceId')],
      ['platform', 'text', item('platform')],
      ['app_version', 'text', item('appVersion')],
      ['registered_at', 'time', item('registeredAt')],
      ['renewed_at', 'time', item('renewedAt')],
      ['renewed_week', 'week', item('renewedAt')],
    ],
    where: [],
    needs: item('appVersion'),
  },
];

/** The statement that makes a view, in the SQL of an engine. */
export function viewStatement(view: View, dialect: Dialect): string {
  const { name, table, each, columns, where, needs, expires, part } = view;
  const textAt = (path: string) =>
    path.startsWith('@') ? dialect.textAt('element', `$${path.slice(1)}`) : dialect.textAt('line', path);
  const selected = columns.map(([column, kind, path]) => `  ${expressions[kind](textAt(path))} AS ${column}`);
  const conditions = [
    ...(needs ? [`${textAt(needs)} IS NOT NULL`] : []),
    ...(expires ? [isKept(textAt(expires))] : []),
    ...(part ? [`substr(${textAt(part[0])}, 1, ${part[1].length}) = '${part[1]}'`] : []),
    ...where.map(([path, values]) => `(${values.map((value) => isEqual(textAt(path), value)).join(' OR ')})`),
  ];
  const elements = each ? `\nCROSS JOIN UNNEST(${dialect.elementsAt('line', each)}) AS elements (element)` : '';
  const filter = conditions.length > 0 ? `\nWHERE ${conditions.join('\n  AND ')}` : '';
  return `CREATE OR REPLACE VIEW ${name} AS\nSELECT\n${selected.join(',\n')}\nFROM ${rawName(table)}${elements}${filter}`;
}

const date = (text: string) => `CAST(substr(${text}, 1, 10) AS DATE)`;

const expressions: Readonly<Record<Kind, (text: string) => string>> = {
  text: (text) => text,
  whole: (text) => `CAST(${text} AS BIGINT)`,
  number: (text) => `CAST(${text} AS DOUBLE)`,
  // All times are UTC and have no zone, because Athena's views cannot have one.
  time: (text) => `CAST(replace(replace(${text}, 'T', ' '), 'Z', '') AS TIMESTAMP)`,
  date,
  day: (text) => `date_diff('day', DATE '1970-01-01', ${date(text)})`,
  week: (text) => `CAST(date_trunc('week', ${date(text)}) AS DATE)`,
};

/** Compares whole days. The exact second does not matter for an expiry after years. */
function isKept(text: string): string {
  return `(${text} IS NULL OR CAST(${text} AS BIGINT) >= 86400 * date_diff('day', DATE '1970-01-01', CURRENT_DATE))`;
}

function isEqual(text: string, value: string | null): string {
  return value === null ? `${text} IS NULL` : `${text} = '${value}'`;
}
