import type { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readHomeRows } from '../../functions/learning/stores/home-rows.ts';
import { handlesNamed } from '../tables.ts';

/** DynamoDB may answer a part of a BatchGetItem: the rest is asked for again, and never taken for what is not there. */

/** Answers one table of each call, and leaves the others. */
function sparing(mostCalls: number) {
  let calls = 0;
  const send = async ({ input }: BatchGetCommand) => {
    calls += 1;
    const [first, ...rest] = Object.entries(input.RequestItems ?? {});
    const [table = '', wanted] = first ?? [];
    if (calls > mostCalls) return { Responses: {}, UnprocessedKeys: input.RequestItems };
    const found = (wanted?.Keys ?? []).map((key) => ({ ...key, timezone: 'Asia/Tokyo', locale: 'ja', version: '1' }));
    return { Responses: { [table]: found }, UnprocessedKeys: Object.fromEntries(rest) };
  };
  return handlesNamed({ send } as unknown as DynamoDBDocumentClient, ['Users', 'LearningProgress', 'Courses']);
}

test('what is left is asked for again', async () => {
  const { localeAndZone, progress, heads } = await readHomeRows(sparing(3), 'me');
  expect(localeAndZone).toEqual({ locale: 'ja', timezone: 'Asia/Tokyo' });
  expect([...progress.keys()]).toEqual(['sleep-basics']);
  expect(heads).toMatchObject([{ name: 'sleep-basics' }]);
});

test('what stays left is a 503, and no empty home screen', async () => {
  await expect(readHomeRows(sparing(1), 'me')).rejects.toMatchObject({ error: { code: 'UNAVAILABLE' } });
});
