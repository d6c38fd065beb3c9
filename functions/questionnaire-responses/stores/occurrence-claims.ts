import type { Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Progress } from '../../questionnaires/rules.ts';
import type { Claim } from '../rules/due-bundles.ts';
import type { Frame } from '../rules/response.ts';
import type { QuestionnaireResponses } from '../tables.ts';
import { claimKey } from './response-rows.ts';

/** Each occurrence of a questionnaire takes one response: the write of a response claims the occurrence in the same transaction. */

export async function readClaim(
  table: QuestionnaireResponses<'get'>,
  { userId, occurrenceId, questionnaireId }: { userId: string; occurrenceId: string; questionnaireId: string },
): Promise<Claim | null> {
  return get<Claim>(table, claimKey(userId, occurrenceId, questionnaireId));
}

/** @param read the claim from which the decision was made */
export function putClaim(
  table: QuestionnaireResponses<'put'>,
  userId: string,
  { occurrenceId, questionnaireId, responseId }: Pick<Frame, 'occurrenceId' | 'questionnaireId' | 'responseId'>,
  status: Progress,
  read: Claim | null,
): Items {
  if (occurrenceId === null) return [];
  return [put(table, { ...claimKey(userId, occurrenceId, questionnaireId), responseId, status }, isStill(read))];
}

/** The claim of a deleted draft is removed, so that another response can claim the occurrence. */
export function dropClaim(
  table: QuestionnaireResponses<'remove'>,
  userId: string,
  { occurrenceId, questionnaireId, responseId }: Pick<Frame, 'occurrenceId' | 'questionnaireId' | 'responseId'>,
): Items {
  if (occurrenceId === null) return [];
  const key = claimKey(userId, occurrenceId, questionnaireId);
  return [remove(table, key, isStill({ responseId, status: 'draft' }))];
}

function isStill(claim: Claim | null) {
  return claim ? ifUnchanged({ responseId: claim.responseId, status: claim.status }) : ifAbsent('part');
}
