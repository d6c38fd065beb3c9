import { consumeStream } from '../../../lib/runtime/consume.ts';
import { listUsers } from '../consumers.ts';
import { listUser } from '../workflows/list-user.ts';

export const handler = consumeStream(listUsers)(async (records, { tables }) => {
  const ids = records.map(({ dynamodb }) => dynamodb?.Keys?.userId?.S ?? '');
  // Whose an address is stands there, too: `email#…` is nobody's id.
  const users = new Set(ids.filter((id) => id !== '' && !id.includes('#')));
  for (const userId of users) await listUser({ tables }, userId);
  return null;
});
