import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo } from '../../../../../lib/runtime/clients.ts';
import { lambdaWithoutAccounts } from '../../../../../lib/runtime/clock.ts';
import { serve } from '../../../../../lib/runtime/serve.ts';
import { putNote } from '../routes.ts';

export const handler = serve(
  putNote,
  lambdaWithoutAccounts,
)(async ({ params: { noteId }, body: { text }, tables }) => {
  const put = new PutCommand({ TableName: tables.Notes, Item: { noteId, text }, ReturnValues: 'ALL_OLD' });
  const { Attributes } = await dynamo().send(put);
  return { noteId, text, writtenBefore: Attributes !== undefined };
});
