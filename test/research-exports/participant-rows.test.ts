import { expect, test } from 'vitest';
import type { Response } from '../../functions/questionnaire-responses/rules.ts';
import { scoresOf } from '../../functions/questionnaires/rules.ts';
import { cellsOf, columnsOf, type FileName, type Row } from '../../functions/research-exports/rules/columns.ts';
import {
  diaryRow,
  episodeRow,
  type Participant,
  responseRows,
  unitRows,
} from '../../functions/research-exports/rules/participant-rows.ts';
import { contentOf } from '../../functions/sleep/rules.ts';
import { instrument, phq9 } from '../questionnaires/instruments.ts';
import { night, stated } from '../sleep/nights.ts';

/** What a row of a patient can bring into a file: here by somebody who may write any row, and puts an identity everywhere. */

const userId = '0b8e6f0a-6c3c-4f0e-9a53-0d4f6c7f9a11';
const identities = ['anna.example@example.com', userId, userId.replaceAll('-', ''), [userId], { userId }];
const participant: Participant = { pseudonym: 'p1', userId, key: Buffer.from('key'), shiftDays: 0 };
const date = '2026-03-01';

const inFile = (file: FileName, rows: readonly Row[]) => rows.map((row) => cellsOf(columnsOf(file, []), row));

/** The same object with this value in each place in turn, of all depths. */
function* planted<T extends object>(honest: T, value: unknown): Generator<T> {
  for (const [name, here] of Object.entries(honest)) {
    yield { ...honest, [name]: value };
    if (here === null || typeof here !== 'object') continue;
    const inner: Iterable<object> = planted(here, value);
    for (const each of inner) yield { ...honest, [name]: Array.isArray(here) ? Object.values(each) : each };
  }
}

const diary = { date, content: contentOf(stated(date)), night: night(date) };
const episode = {
  ...{ date, source: 'healthkit' as const, sourceId: 'a', zone: 'Europe/Berlin' },
  ...{ startAt: `${date}T00:00:00.000Z`, endAt: `${date}T06:00:00.000Z`, seconds: { asleepCore: 7 } },
};
const definition = instrument('phq-9');
const response = {
  ...{ responseId: 'r', questionnaireId: 'phq-9', version: '1.1', completedAt: `${date}T00:00:00.000Z` },
  ...{ answers: phq9(1), scores: scoresOf(definition, phq9(1)) },
};
const unit = {
  ...{ unitId: 'sleep-basics.rhythm', position: 3, percent: 40, completedAt: `${date}T00:00:00.000Z` },
  ...{ updatedAt: `${date}T00:00:00.000Z`, quiz: { version: '1', answers: [], score: 2, maxScore: 3 } },
};

const files = {
  diary: [diary, (of: typeof diary) => [diaryRow(participant, of)]],
  episodes: [episode, (of: typeof episode) => [episodeRow(participant, of as Parameters<typeof episodeRow>[1])]],
  questionnaires: [response, (of: typeof response) => responseRows(participant, of as unknown as Response, definition)],
  learning: [unit, (of: typeof unit) => unitRows(participant, 'sleep-basics', of)],
} as unknown as Record<FileName, [object, (of: object) => Row[]]>;

test.each(Object.entries(files) as [FileName, [object, (of: object) => Row[]]][])(
  '%s: an identity comes into no cell, wherever somebody puts it',
  (file, [honest, rowsOf]) => {
    let count = 0;
    for (const identity of identities) {
      for (const row of planted(honest, identity)) {
        // Its definition was read under both.
        const { questionnaireId = 'phq-9', version = '1.1' } = row as Partial<typeof response>;
        if (questionnaireId !== 'phq-9' || version !== '1.1') continue;
        let cells: unknown;
        try {
          cells = inFile(file, rowsOf(row));
        } catch {
          // A row that no reader understands makes the export fail.
          continue;
        }
        count += 1;
        for (const text of ['example.com', userId, userId.replaceAll('-', '')])
          expect(JSON.stringify(cells)).not.toContain(text);
      }
    }
    expect(count).toBeGreaterThan(15);
  },
);

test('what honest functions write comes into the files as it is', () => {
  for (const [file, [honest, rowsOf]] of Object.entries(files) as [FileName, [object, (of: object) => Row[]]][]) {
    const columns = columnsOf(file, []);
    const rows = rowsOf(honest);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(cellsOf(columns, row)).toEqual(columns.map(({ name }) => row[name] ?? null));
  }
  expect(inFile('learning', unitRows(participant, 'sleep-basics', unit))).toEqual([
    ['p1', 'sleep-basics', unit.unitId, 40, date, 2, 3],
  ]);
});

test.each([
  ['an id of another course', 'sleep-basics', 'another.rhythm'],
  ['an id without a course', 'sleep-basics', 'rhythm'],
  ['a user as the course', userId, `${userId}.rhythm`],
  ['an id with more behind it', 'sleep-basics', `sleep-basics.rhythm.${userId}`],
])('a unit under %s is left out', (_case, courseId, unitId) => {
  expect(unitRows(participant, courseId, { ...unit, unitId })).toEqual([]);
});

test('a date with a text behind it is empty', () => {
  const [cells] = inFile('diary', [diaryRow(participant, { ...diary, date: `${date}anna@example.com` })]);
  expect(cells?.slice(0, 3)).toEqual(['p1', null, true]);
});

test('the seconds of an episode take the place of no other column', () => {
  const seconds = { ...episode.seconds, source: userId, pseudonym: userId, date: userId } as never;
  const [cells] = inFile('episodes', [episodeRow(participant, { ...episode, seconds })]);
  expect(cells?.slice(0, 3)).toEqual(['p1', date, 'healthkit']);
});
