import type { Response } from './response.ts';

/** What was scored last, of each questionnaire. Pure. */

export type Scored = Pick<
  Response,
  'responseId' | 'questionnaireId' | 'version' | 'scores' | 'flags' | 'completedAt' | 'amends' | 'amendedBy'
>;

/**
 * Of each questionnaire the response that was completed last, as it stands corrected: a correction is newer than what it corrects, but about
 * the time of that.
 *
 * @param rows newest first; of a questionnaire whose original is older than all of them its latest correction counts
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
