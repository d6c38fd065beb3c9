import type { Design } from '../../functions/research-exports/rules/export.ts';

/** What a study says of its exports. */
export const design: Design = {
  title: 'Sleep in autumn',
  agreementId: 'research-data',
  dataClasses: ['diary', 'episodes', 'questionnaires', 'learning'],
  period: { from: '2026-01-01', until: '2026-12-31' },
  quasiIdentifiers: [{ field: 'timezone', smallCells: 'generalise' }],
  shiftDates: true,
};
