import type { ScoreResult } from '../../questionnaires/rules.ts';
import type { Response } from './response.ts';

/** The scores of completed responses as a series for a plot. Pure. */

/** A completed response; with its last correction, if it has one. */
export type Plotted = Pick<Response, 'responseId' | 'questionnaireId' | 'scores' | 'completedAt' | 'amends'> & {
  readonly corrected?: Corrected;
};

/** The last of a chain of corrections. The first response of the chain has it. */
export type Corrected = { readonly responseId: string; readonly scores: ScoreResult[] | null };

/** Where a page ends: after a row, and after so many scores of the row that follows it. */
export type SeriesPosition = { readonly after: string | null; readonly skip: number };

/**
 * The scores of a page. A correction is no value of its own: the corrected value is at the time of the first response.
 *
 * @param rows newest first
 * @param partOf the key of a row in its list
 */
export function seriesOf<Row extends Plotted>(
  rows: readonly Row[],
  { limit, from, partOf }: { limit: number; from: SeriesPosition; partOf: (row: Row) => string },
) {
  const items: ReturnType<typeof valuesOf> = [];
  let { after, skip } = from;
  for (const row of rows) {
    const values = valuesOf(row).slice(skip);
    const left = limit - items.length;
    items.push(...values.slice(0, left));
    if (values.length > left) return { items, next: { after, skip: skip + left } };
    [after, skip] = [partOf(row), 0];
  }
  return { items, next: { after, skip } };
}

function valuesOf({ responseId, questionnaireId, scores, completedAt, amends, corrected }: Plotted) {
  if (amends !== null) return [];
  const latest = corrected ?? { responseId, scores };
  return (latest.scores ?? []).map(({ scoreId, value, bandId }) => ({
    ...{ responseId: latest.responseId, questionnaireId, scoreId, value, bandId },
    completedAt: completedAt ?? '',
  }));
}
