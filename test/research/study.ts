import type { Collected } from '../../functions/research/rules/study.ts';

/** A study for tests, and whoever makes it. */

export const collected = {
  agreementId: 'research-data',
  dataClasses: ['diary'],
  period: { from: '2026-01-01', until: '2098-12-31' },
  groups: ['early', 'late'],
  quasiIdentifiers: [{ field: 'timezone', smallCells: 'generalise' }],
  shiftDates: true,
} as const satisfies Collected;

export const definition = { title: 'Sleep of night nurses', ...collected };
