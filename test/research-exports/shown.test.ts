import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { asked, done, exportOf, failed, type ResearchExport } from '../../functions/research-exports/rules/export.ts';
import { manifestOf } from '../../functions/research-exports/rules/manifest.ts';
import { shown, shownCells, shownFile } from '../../functions/research-exports/rules/shown.ts';
import { readExportRow } from '../../functions/research-exports/stores/export-rows.ts';
import { handlesNamed } from '../tables.ts';
import { design } from './design.ts';

/** Which numbers of people are said of an export. */

const now = new Date('2026-11-22T12:00:00.000Z');
const requested = exportOf({ ...asked({ studyId: 'study', enrolledUntil: now, now, random: '00000000' }), design });
const counted = (people: number): ResearchExport => ({
  ...requested,
  status: 'running',
  enrolments: people,
  participants: people,
  smallCells: { levels: {}, suppressed: people, withdrawn: people },
});

describe.each([
  [0, null, 0],
  [1, null, null],
  [4, null, null],
  [5, 5, 5],
  [20, 20, 20],
])('%i people', (people, said, orNone) => {
  const row = counted(people);
  const cells = { levels: {}, suppressed: orNone, withdrawn: orNone };

  test('in an export that is done', () => {
    expect(shown(done(row, now), now)).toMatchObject({ status: 'done', enrolments: said, participants: said });
  });

  test('in one that is under way, or that failed', () => {
    const unknown = { enrolments: said, participants: null };
    expect(shown(row, now)).toMatchObject({ status: 'running', ...unknown });
    expect(shown(failed(row, 'SMALL_CELLS', now), now)).toMatchObject({ status: 'failed', ...unknown });
  });

  test('of whom a value was left out, or who left, also in the manifest', () => {
    expect(shownCells(row.smallCells)).toEqual(cells);
    const manifest = manifestOf(done(row, now), { environment: 'dev', now });
    expect(manifest).toMatchObject({ smallCells: cells, export: { participants: people } });
  });
});

test('the size of a file, only while it can be downloaded', () => {
  const file = { name: 'participants.csv', bytes: 100, rows: 3, sha256: 'a' };
  expect(shownFile(file, true)).toEqual(file);
  expect(shownFile(file, false)).toEqual({ ...file, bytes: null, rows: null });
});

test.each([
  ['study/export', 'draft'],
  ['study', 'export/draft'],
])('a planted row of %s and %s is none: its files would be those of another export', async (studyId, exportId) => {
  const Item = { studyId, exportId, requestedAt: now.toISOString(), enrolledUntil: now.toISOString() };
  const client = { send: async () => ({ Item }) } as unknown as DynamoDBDocumentClient;
  expect(
    await readExportRow(handlesNamed(client, ['ResearchExports']).ResearchExports, { studyId, exportId }),
  ).toBeNull();
});
