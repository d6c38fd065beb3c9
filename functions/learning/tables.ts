import { table } from '../../lib/contract/tables.ts';

/** What is published. Under `courses` each course with its current version, under `course#<id>` each version whole. */
export const Courses = table('Courses', { partitionKey: 'part', sortKey: 'name' });

/** How far a user is, a row for each course: its units are few and read together. */
export const LearningProgress = table('LearningProgress', {
  partitionKey: 'userId',
  sortKey: 'courseId',
  stream: true,
});
