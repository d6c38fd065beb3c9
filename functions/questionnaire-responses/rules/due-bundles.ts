import {
  type Occurrence,
  type Progress,
  type Status,
  statusOf,
  statusOfPart,
} from '../../questionnaires/rules/bundle.ts';

/** What a patient is shown of an occurrence. Pure. */

type Claim = { readonly responseId: string; readonly status: Progress };

/**
 * @param versions the current ones by questionnaire
 * @param claimed the response of an occurrence's questionnaire, if there is one
 * @param today the patient's own date
 */
export function dueBundle(
  occurrence: Occurrence,
  versions: ReadonlyMap<string, string>,
  claimed: (questionnaireId: string) => Claim | undefined,
  today: string,
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
    status: statusOf(occurrence, progress, today),
    questionnaires: claims.map(({ questionnaireId, claim }) => ({
      questionnaireId,
      version: versions.get(questionnaireId) ?? null,
      status: statusOfPart(occurrence, claim?.status, today) as Status,
      responseId: claim?.responseId ?? null,
    })),
  };
}

export type DueBundle = ReturnType<typeof dueBundle>;
