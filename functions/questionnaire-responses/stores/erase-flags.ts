import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import type { FlagDecisions, QuestionnaireFlags } from '../tables.ts';
import { readDecisions } from './decision-rows.ts';
import { eraseFlag, flagIdsOfUser } from './flag-rows.ts';

/** A user's flags with what was decided about them, including open ones: the service cannot reach a user without an account. */
export const eraseQuestionnaireFlags: Eraser<{
  readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'query' | 'remove'>;
  readonly FlagDecisions: FlagDecisions<'query' | 'remove'>;
}> = async ({ tables }, { userId }) => {
  const [listed, decided] = await Promise.all([
    flagIdsOfUser(tables.QuestionnaireFlags, userId),
    readDecisions(tables.FlagDecisions, userId),
  ]);
  const flagIds = [...new Set([...listed, ...decided.map(({ flagId }) => flagId)])];
  await runAllThenThrow(flagIds.map((flagId) => ['flag', () => eraseFlag(tables, { userId, flagId })]));
};
