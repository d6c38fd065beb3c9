import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { eraseFlag, flagIdsOfUser } from './flag-rows.ts';

/** A user's flags, including open ones: the service cannot reach a user without an account. */
export const eraseQuestionnaireFlags: Eraser<'QuestionnaireFlags'> = async ({ dynamo, tables }, { userId }) => {
  const table = tables.QuestionnaireFlags;
  const flagIds = await flagIdsOfUser(dynamo, table, userId);
  await runAllThenThrow(flagIds.map((flagId) => ['flag', () => eraseFlag(dynamo, table, { userId, flagId })]));
};
