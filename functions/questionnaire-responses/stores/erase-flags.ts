import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { keysOfUser } from './flag-rows.ts';

/** A user's flags, the open ones too: who has no account any more is nobody whom the service can reach. */
export const eraseQuestionnaireFlags: Eraser<'QuestionnaireFlags'> = async ({ dynamo, tables }, { userId }) => {
  const table = tables.QuestionnaireFlags;
  for await (const Key of keysOfUser(dynamo, table, userId)) {
    await dynamo.send(new DeleteCommand({ TableName: table, Key }));
  }
};
