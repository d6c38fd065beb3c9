import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readHome } from '../../functions/learning/workflows/read-home.ts';
import { handlesNamed } from '../tables.ts';

/** What the home screen reads of somebody with an entitlement, by a function that has met the bundles and the course before. */

const names = [
  'Users',
  'LearningProgress',
  'Courses',
  'Questionnaires',
  'QuestionnaireResponses',
  'Entitlements',
  'SleepEntries',
  'SleepWindows',
  'SleepinessSigns',
  'QuestionnaireFlags',
] as const;

const course = { courseId: 'sleep-basics', version: '1' };
const entitlement = {
  ...{ userId: 'me', entitlementId: 'e', programmeId: 'insomnia-basic', accessCodeId: 'c', batchId: 'b', part: 'g00' },
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2026-03-01T00:00:00.000Z',
  redeemedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-02-01T00:00:00.000Z',
};

type Command = {
  readonly input: { readonly TableName?: string; readonly RequestItems?: object; readonly Key?: object };
};

/** Answers nothing before nothing more is asked for: all that is asked for until then is one round trip. */
function counting() {
  const trips: string[][] = [];
  let current: string[] = [];
  let answered: Promise<void> | null = null;
  const turn = () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        trips.push(current.toSorted());
        [current, answered] = [[], null];
        resolve();
      });
    });
  const send = async ({ input }: Command) => {
    current.push(input.TableName ?? Object.keys(input.RequestItems ?? {}).join(' '));
    answered ??= turn();
    await answered;
    if (input.RequestItems) return { Responses: { Courses: [course] } };
    if (input.Key) return { Item: { content: JSON.stringify({ ...course, modules: [] }) } };
    return { Items: input.TableName === 'Entitlements' ? [entitlement] : [] };
  };
  return { tables: handlesNamed({ send } as unknown as DynamoDBDocumentClient, names), trips };
}

test('is ten reads in one round trip, and knows an entitlement that staff ended', async () => {
  const { tables, trips } = counting();
  const read = () => readHome({ tables, userId: 'me' });
  await read();
  trips.length = 0;
  const { entitlements, courses } = await read();
  expect(trips).toEqual([
    [
      'Entitlements',
      // Occurrences, sleepiness, mood and the screening; the window, and the nights on which the patient nodded off.
      ...Array.from({ length: 4 }, () => 'QuestionnaireResponses'),
      ...['SleepEntries', 'SleepWindows', 'SleepinessSigns', 'QuestionnaireFlags'],
      'Users LearningProgress Courses',
    ].toSorted(),
  ]);
  expect(entitlements).toMatchObject([{ endsAt: entitlement.endedAt, status: 'ended' }]);
  expect(courses).toMatchObject([course]);
});
