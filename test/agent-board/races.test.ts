import { expect, test } from 'vitest';
import { client } from '../api.ts';
import { board, boardOf, patient, posted, readingOf } from './people.ts';

/** The races over HTTP; record-change.test.ts has them with faults, model.test.ts in every mixture. */

const staffOfMedinfo = { application: 'medinfo', roles: 'agent' } as const;

type Listed = { messageId: string; readAt: string | null };

test('20 parallel readings of one message all answer the same', async () => {
  const [user, staff] = await Promise.all([patient(), client(staffOfMedinfo)]);
  const [messageId = ''] = await posted(user, staff, 2);
  const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(readingOf(messageId))));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await user.get(board)).body.metadata.unreadCount).toBe(1);
});

// Whenever one has to be decided anew, another one was written: so ten retries bring eleven callers through, in whatever
// order, and these are ten. Of more one may be a 503 (docs/decisions/0015); record-change.test.ts has twenty, in turns.
test('an app that marks five messages as read at once, while staff post five more', async () => {
  const [user, staff] = await Promise.all([patient(), client(staffOfMedinfo)]);
  const ids = await posted(user, staff, 5);
  const answers = await Promise.all(
    ids.flatMap((messageId) => [
      user.post(readingOf(messageId)),
      staff.post(boardOf(user), { body: { title: 'Another', body: 'Text' } }),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.flatMap(() => [200, 201]));
  const { items, metadata } = (await user.get(`${board}?limit=100`)).body;
  expect(items).toHaveLength(10);
  const read = items.filter(({ readAt }: Listed) => readAt !== null);
  expect(read.map(({ messageId }: Listed) => messageId)).toEqual(ids.toReversed());
  expect(metadata.unreadCount).toBe(5);
});
