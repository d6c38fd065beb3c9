import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { PublishedCourse } from '../../functions/learning/rules/course.ts';
import { putVersion, readVersion } from '../../functions/learning/stores/course-rows.ts';
import { handlesNamed } from '../tables.ts';

/** A database with this one row, and what was sent to it. */
function database(row?: object) {
  const sent: string[] = [];
  const send = async (command: object) => {
    sent.push(command.constructor.name);
    return { Item: row };
  };
  const tables = handlesNamed({ send } as unknown as DynamoDBDocumentClient, ['Courses', 'AuditEvents']);
  return { tables, sent };
}

test('publishing reads its own database, even if the process has read another one with the same table names', async () => {
  const course = { courseId: 'kept', version: '1.0', title: { en: 'Kept' }, modules: [] } as unknown as PublishedCourse;
  const stored = database({ content: JSON.stringify(course) });
  expect(await readVersion(stored.tables.Courses, course)).toMatchObject({ courseId: 'kept' });

  const empty = database();
  expect(await readVersion(empty.tables.Courses, course)).toBeNull();
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow: new Date(0) } as const;
  await putVersion(empty.tables, { course, occasion });
  expect(empty.sent).toContain('TransactWriteCommand');
  // Nor what the same client has read.
  await putVersion(stored.tables, { course, occasion });
  expect(stored.sent.filter((name) => name === 'GetCommand')).toHaveLength(2);
});
