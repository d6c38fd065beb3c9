import { createHash } from 'node:crypto';
import {
  type Answer,
  type Definition,
  enabledAnswers,
  flagsOf,
  type ScoreResult,
  scoresOf,
  shownScores,
} from '../../questionnaires/rules.ts';

/** A response to a questionnaire: a draft that phones change, then completed for ever. Pure. */

export type Window = { readonly from: string; readonly to: string };

/** The fields that stay the same from the first draft on. */
export type Frame = {
  readonly responseId: string;
  readonly questionnaireId: string;
  readonly bundleId: string | null;
  readonly occurrenceId: string | null;
  /** The entitlement that unlocked it; null if it needs none. */
  readonly entitlementId: string | null;
  /** The patient's own dates between which it can be completed; null: always. */
  readonly window: Window | null;
};

export type Response = Frame & {
  readonly version: string;
  readonly status: 'draft' | 'completed';
  readonly answers: Answer[];
  readonly scores: ScoreResult[] | null;
  readonly flags: string[];
  readonly completedAt: string | null;
  readonly amends: string | null;
  readonly amendedBy: string | null;
  /** The first of a chain of corrections, by which its flags are known. */
  readonly rootId: string;
};

/** Its answers are final. */
export type CompletedResponse = Response & { readonly status: 'completed'; readonly completedAt: string };

export type Draft = { readonly version: string; readonly answers: Answer[] };

export function draftOf(frame: Frame, { version, answers }: Draft): Response & { readonly status: 'draft' } {
  const open = { scores: null, flags: [], completedAt: null, amends: null, amendedBy: null };
  return { ...frame, version, status: 'draft', answers, ...open, rootId: frame.responseId };
}

/** A deleted draft keeps nothing that the patient wrote. */
export function tombstoneOf(frame: Frame): ReturnType<typeof draftOf> {
  return draftOf(frame, { version: '', answers: [] });
}

/** A hash of the answers and the version. It identifies a repeated request. */
export function fingerprintOf({ version, answers }: Draft): string {
  const ordered = answers.toSorted((one, other) => (one.linkId < other.linkId ? -1 : 1));
  const said = ordered.map(({ linkId, ...value }) => [linkId, ...Object.entries(value).flat()]);
  return createHash('sha256')
    .update(JSON.stringify([version, said]))
    .digest('hex');
}

/** @param recordedAt of the request that completes it: a draft that was recorded later is not the one that its phone has shown */
export function outcomeOfCompletion(
  { recordedAt }: { recordedAt: string },
  sent: { recordedAt: string | null },
): 'stored' | 'superseded' {
  return sent.recordedAt !== null && sent.recordedAt < recordedAt ? 'superseded' : 'stored';
}

/** Whether a draft with these answers would raise a flag if it were completed now. It may have few answers yet. */
export function wouldFlag(definition: Definition, given: readonly Answer[]): boolean {
  if (definition.flags.length === 0) return false;
  const answers = enabledAnswers(definition, given);
  return flagsOf(definition, answers, scoresOf(definition, answers)).length > 0;
}

/** Answers to items that are not asked are removed. The other answers can never be changed. */
export function completed(draft: Response, definition: Definition, now: Date): CompletedResponse {
  const answers = enabledAnswers(definition, draft.answers);
  const scores = scoresOf(definition, answers);
  return {
    ...draft,
    status: 'completed',
    answers,
    scores: shownScores(definition, scores),
    flags: flagsOf(definition, answers, scores),
    completedAt: now.toISOString(),
  };
}

/** A correction, which is completed at once. */
export function amendment(
  earlier: Response,
  responseId: string,
  draft: Draft,
  definition: Definition,
  now: Date,
): CompletedResponse {
  const { questionnaireId, bundleId, occurrenceId, entitlementId, window } = earlier;
  const frame = { responseId, questionnaireId, bundleId, occurrenceId, entitlementId, window };
  return completed({ ...draftOf(frame, draft), amends: earlier.responseId, rootId: earlier.rootId }, definition, now);
}
