import type { Response } from './response.ts';

/** The latest scores of each questionnaire. Pure. */

export type Scored = Pick<
  Response,
  'responseId' | 'questionnaireId' | 'version' | 'scores' | 'flags' | 'completedAt' | 'amends' | 'amendedBy'
>;

/**
 * For each questionnaire the response that was completed last, with its latest correction. A correction is newer than
 * the response that it corrects, but it is about the time of that response.
 *
 * @param rows newest first; if they have only corrections of a questionnaire and not the original, the latest
 * correction counts
 */
export function latestOfEach<S extends Scored>(rows: readonly S[]): S[] {
  const byId = new Map(rows.map((row) => [row.responseId, row]));
  const asCorrected = (row: S): S => {
    const next = row.amendedBy === null ? undefined : byId.get(row.amendedBy);
    return next ? asCorrected(next) : row;
  };
  return [...Map.groupBy(rows, ({ questionnaireId }) => questionnaireId).values()].flatMap((own) => {
    const latest = own.find(({ amends }) => amends === null) ?? own[0];
    return latest ? [asCorrected(latest)] : [];
  });
}
