import { expect, test } from 'vitest';
import { client } from '../api.ts';

/** The races over HTTP; record-change.test.ts has them with clock and faults, model.test.ts in every mixture. */

const agree = '/agreements/versions/marketing-1.0/agree';
const consent = '/users/agreements/marketing/consent';
const history = '/users/agreements/marketing/history?limit=100';

test('20 parallel agrees all answer 200 with one agreedAt and leave one record', async () => {
  const user = await client();
  const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(agree)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const times = new Set(answers.map(({ body }) => body.agreedAt));
  expect(times.size).toBe(1);
  const { items } = (await user.get(history)).body;
  expect(items.map((record: { recordedAt: string }) => record.recordedAt)).toEqual([...times]);
});

test('agree against revoke: every call a 200, and a history that alternates', async () => {
  const user = await client();
  // Whenever one has to be decided anew, another one was written: so five retries bring six callers through, in whatever
  // order. Of more one may be a 503 (docs/decisions/0002).
  for (let round = 0; round < 4; round += 1) {
    const calls = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? user.post(agree) : user.delete(consent)));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  }
  const actions = (await user.get(history)).body.items.reverse().map((record: { action: string }) => record.action);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions).toEqual(actions.map((_: string, index: number) => (index % 2 === 0 ? 'agreed' : 'revoked')));
});
