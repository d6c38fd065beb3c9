import { describe, expect, test } from 'vitest';
import type { ResearchExport } from '../../functions/research-exports/rules/export.ts';
import { differingFromExport, namedBy } from '../../functions/research-exports/rules/manifest.ts';

const row = {
  studyId: 'study',
  exportId: 'export',
  status: 'done',
  requestedAt: '2026-11-28T12:00:00.000Z',
  enrolledUntil: '2026-11-28T12:00:00.000Z',
  design: {
    title: 'T',
    agreementId: 'a',
    dataClasses: ['diary'],
    period: { from: '2026-01-01', until: '2026-12-31' },
    quasiIdentifiers: [{ field: 'group', smallCells: 'suppress' }],
    shiftDates: true,
  },
  participants: 7,
  smallCells: { levels: {}, suppressed: 0, withdrawn: 0 },
  files: [{ name: 'diary.csv', bytes: 1, rows: 1, sha256: 'f'.repeat(64) }],
  finishedAt: '2026-11-28T12:30:02.000Z',
} as unknown as ResearchExport;
/** As it was handed out: it stays valid, so it is written down here, and never made again. */
const said = {
  iss: 'mobile-health-dev',
  sub: 'study',
  jti: 'export',
  iat: 1_795_869_000,
  study: {
    studyId: 'study',
    title: 'T',
    agreementId: 'a',
    dataClasses: ['diary'],
    period: { from: '2026-01-01', until: '2026-12-31' },
    quasiIdentifiers: [{ field: 'group', smallCells: 'suppress' }],
  },
  export: {
    exportId: 'export',
    requestedAt: '2026-11-28T12:00:00.000Z',
    enrolledUntil: '2026-11-28T12:00:00.000Z',
    participants: 7,
    keptDays: 7,
  },
  dates: 'moved back by 1 to 52 whole weeks, a constant for each participant',
  freeText: 'none',
  smallCells: { levels: {}, suppressed: 0, withdrawn: 0 },
  files: [{ sha256: 'f'.repeat(64), rows: 1, bytes: 1, name: 'diary.csv' }],
};

test('a manifest says which export it is about', () => {
  expect(namedBy(said)).toEqual({ studyId: 'study', exportId: 'export' });
  for (const jti of [undefined, '', 7]) expect(namedBy({ ...said, jti })).toBeNull();
});

describe('compared with the export', () => {
  test('it has the same claims, whatever the order of their names', () => {
    expect(differingFromExport(said, row, 'dev')).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['another hash', { files: [{ ...said.files[0], sha256: '0'.repeat(64) }] }, ['files']],
    ['one file more', { files: [...said.files, said.files[0]] }, ['files']],
    ['another title', { study: { ...said.study, title: 'X' } }, ['study.title']],
    ['more participants', { export: { ...said.export, participants: 8 } }, ['export.participants']],
    ['dates that are not moved', { dates: 'as they are' }, ['dates']],
    ['another environment', { iss: 'mobile-health-prod' }, ['iss']],
    ['a claim too many', { more: 1 }, ['more']],
    ['a date long after the export', { iat: said.iat + 400 }, ['iat']],
    ['a date long before it', { iat: 1 }, ['iat']],
    ['no date', { iat: undefined }, ['iat']],
  ])('%s differs', (_case, more, differs) => {
    expect(differingFromExport({ ...said, ...more }, row, 'dev')).toEqual(differs);
  });
});
