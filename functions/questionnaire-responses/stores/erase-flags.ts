import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { eraseFlag, flagIdsOfUser } from './flag-rows.ts';

/** A user's flags, the open ones too: who has no account any more is nobody whom the service can reach. */
export const eraseQuestionnaireFlags: Eraser<'QuestionnaireFlags'> = async ({ dynamo, tables }, { userId }) => {
  const table = tables.QuestionnaireFlags;
  const flagIds = await flagIdsOfUser(dynamo, table, userId);
  await runAllThenThrow(flagIds.map((flagId) => ['flag', () => eraseFlag(dynamo, table, { userId, flagId })]));
};
