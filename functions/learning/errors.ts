import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const CourseNotFound = error({
  code: 'COURSE_NOT_FOUND',
  status: 404,
  message: 'There is no such course.',
});

export const UnitNotFound = error({
  code: 'UNIT_NOT_FOUND',
  status: 404,
  message: 'There is no such unit in the current version of its course.',
});

export const UnitLocked = error({
  code: 'UNIT_LOCKED',
  status: 403,
  message: 'The unit is not unlocked for the caller.',
  detail: () =>
    z.object({
      /** All that is still missing; of alternatives each. */
      lockedBy: z.array(
        z.object({
          kind: z.enum(['entitlement', 'unit', 'day', 'questionnaire']),
          unitId: z.nullable(z.string()),
          day: z.nullable(z.int()),
          date: z.nullable(z.iso.date()),
          questionnaireId: z.nullable(z.string()),
        }),
      ),
    }),
});
