import {
  type Moment,
  type Occurrence,
  type Progress,
  placeOf,
  type Status,
  statusOf,
  statusOfPart,
} from '../../questionnaires/rules.ts';

/** An occurrence in the form that a patient sees. Pure. */

/** Which response an occurrence of a questionnaire has. */
export type Claim = { readonly responseId: string; readonly status: Progress };

/**
 * @param versions the current version of each questionnaire
 * @param claimed the response of an occurrence's questionnaire, if there is one
 */
export function dueBundle(
  occurrence: Occurrence,
  versions: ReadonlyMap<string, string>,
  claimed: (questionnaireId: string) => Claim | undefined,
  now: Moment,
) {
  const { occurrenceId, bundle, entitlementId, window } = occurrence;
  const claims = bundle.questionnaireIds.map((questionnaireId) => ({
    questionnaireId,
    claim: claimed(questionnaireId),
  }));
  const progress = new Map(
    claims.flatMap(({ questionnaireId, claim }) => (claim ? [[questionnaireId, claim.status]] : [])),
  );
  return {
    occurrenceId,
    bundleId: bundle.bundleId,
    title: bundle.title,
    entitlementId,
    window,
    status: statusOf(occurrence, progress, now),
    questionnaires: claims.map(({ questionnaireId, claim }) => ({
      questionnaireId,
      version: versions.get(questionnaireId) ?? null,
      status: statusOfPart(occurrence, claim?.status, now) as Status,
      responseId: claim?.responseId ?? null,
    })),
  };
}

/** A page of occurrences. It begins after the place of the last shown one, even if that one no longer exists. */
export function occurrencesAfter(
  occurrences: readonly Occurrence[],
  { limit, after }: { limit: number; after: string | null },
): { shown: readonly Occurrence[]; next: string | null } {
  const left = after === null ? occurrences : occurrences.filter((each) => placeOf(each) > after);
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: last && shown.length < left.length ? placeOf(last) : null };
}

export type DueBundle = ReturnType<typeof dueBundle>;
