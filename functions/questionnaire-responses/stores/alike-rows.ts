import { isDeepStrictEqual } from 'node:util';
import { get } from '../../../lib/runtime/rows.ts';
import { readVersion } from '../../questionnaires/exports.ts';
import { scoresOf } from '../../questionnaires/rules.ts';
import { isAnswered } from '../rules/derived-flags.ts';
import type { Hint } from '../rules/flag-image.ts';
import type { FlagFinding } from './guarded-flags.ts';
import type { Guards } from './guards.ts';
import { partsOf } from './response-rows.ts';

/**
 * A completed response stands in three rows, and others decide by the scores in its lists. Finds one whose rows differ, or whose
 * scores are not those of its answers. People decide which row is right.
 */
export async function unlikeRows(guards: Guards, hint: Hint): Promise<FlagFinding[]> {
  // A correction writes all three at once, and may do so between these reads.
  if ((await areAlike(guards, hint)) || (await areAlike(guards, hint))) return [];
  return [{ flagId: `of response ${hint.responseId}`, ticketId: null, suspicion: 'changed', isBack: false }];
}

async function areAlike({ tables }: Guards, { userId, responseId }: Hint): Promise<boolean> {
  const read = (part: string) => get(tables.QuestionnaireResponses, { userId, part });
  const row = await read(`response#${responseId}`);
  // Whether it can be read at all, is said by whoever derives its flags.
  if (!isAnswered(row)) return true;
  const [definition, ...rows] = await Promise.all([
    readVersion(tables.Questionnaires, row.questionnaireId, row.version),
    ...partsOf(row).map(async (part) => ({ ...(await read(part)), part: '' })),
  ]);
  const scores = definition && scoresOf(definition, row.answers);
  const isSame = rows.every((other) => isDeepStrictEqual(other, { ...row, part: '' }));
  return isSame && isDeepStrictEqual(valuesIn(row.scores), valuesIn(scores));
}

/** Without the rule that computed them, of which there are versions. */
function valuesIn(scores: readonly { readonly scoreId: string; readonly value: number | null }[] | null) {
  return (scores ?? []).map(({ scoreId, value }) => [scoreId, value]);
}
