import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { CoursesRow } from './rules/course.ts';
import type { CourseProgress } from './rules/progress.ts';

/** What is published. Under `courses` each course with its current version, under `course#<id>` each version whole. */
export const Courses = table<CoursesRow>()('Courses', { partitionKey: 'part', sortKey: 'name' });
export type Courses<A extends Action> = Handle<typeof Courses, A>;

/** How far a user is, a row for each course: its units are few and read together. */
export const LearningProgress = table<CourseProgress & { readonly userId: string }>()('LearningProgress', {
  partitionKey: 'userId',
  sortKey: 'courseId',
  stream: true,
});
export type LearningProgress<A extends Action> = Handle<typeof LearningProgress, A>;
