import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { keysOfUser } from './flag-rows.ts';

/** A user's flags, the open ones too: who has no account any more is nobody whom the service can reach. */
export const eraseQuestionnaireFlags: Eraser<'QuestionnaireFlags'> = async ({ dynamo, tables }, { userId }) => {
  const TableName = tables.QuestionnaireFlags;
  const flags = await keysOfUser(dynamo, TableName, userId);
  await runAllThenThrow(
    flags.map((keys) => {
      const erase = new TransactWriteCommand({ TransactItems: keys.map((Key) => ({ Delete: { TableName, Key } })) });
      return ['flag', async () => void (await dynamo.send(erase))];
    }),
  );
};
