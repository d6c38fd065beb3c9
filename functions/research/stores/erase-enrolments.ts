import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Studies, UserEnrolments } from '../tables.ts';
import { type DeletedTables, deleteEnrolment } from './enrolments.ts';
import { readStudy } from './studies.ts';

/** Each enrolment of a person's, in both tables, and in the number of the study's participants. */
export const eraseEnrolments: Eraser<
  DeletedTables & {
    readonly Studies: Studies<'get'>;
    readonly UserEnrolments: UserEnrolments<'query'>;
  }
> = async ({ tables }, { userId }) => {
  await retryOnContention(async () => {
    for await (const enrolment of queryEach(tables.UserEnrolments, inPartition({ userId }))) {
      // A study is never deleted: where it is not there, a row is of no study's, and in no number.
      const isThere = (await readStudy(tables.Studies, enrolment.studyId)) !== null;
      if (!(await commit(deleteEnrolment(tables, enrolment, isThere)))) return contended;
    }
    return;
  });
};
