import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { remove } from '../../../lib/runtime/rows.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import type { FlagDecisions, QuestionnaireFlags } from '../tables.ts';
import { decisionKeys, flagIdOfDecision } from './decision-rows.ts';
import { eraseFlag, flagIdsOfUser } from './flag-rows.ts';

/** A user's flags with what was decided about them, including open ones: the service cannot reach a user without an account. */
export const eraseQuestionnaireFlags: Eraser<{
  readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'query' | 'remove'>;
  readonly FlagDecisions: FlagDecisions<'query' | 'remove'>;
}> = async ({ tables }, { userId }) => {
  const [listed, decisions] = await Promise.all([
    flagIdsOfUser(tables.QuestionnaireFlags, userId),
    decisionKeys(tables.FlagDecisions, userId),
  ]);
  const flagIds = [...new Set([...listed, ...decisions.map(flagIdOfDecision)])].filter((flagId) => flagId !== '');
  await runAllThenThrow(flagIds.map((flagId) => ['flag', () => eraseFlag(tables, { userId, flagId })]));
  // What no honest function wrote is left, if anything.
  for (const decision of await decisionKeys(tables.FlagDecisions, userId))
    await commit([remove(tables.FlagDecisions, { userId, decision })]);
};
