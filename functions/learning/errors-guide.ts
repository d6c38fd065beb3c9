import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  CourseNotFound: {
    when: 'No course with this id is published.',
    client: 'List the courses again.',
  },
  UnitNotFound: {
    when: 'The current version of the course has no unit with this id. An earlier version may have had it.',
    client: 'Read the course again.',
  },
  UnitLocked: {
    when:
      'The unit is still locked. `detail.lockedBy` lists everything that is missing: an entitlement, an earlier ' +
      'unit, a day (with its date), a questionnaire. If alternatives could unlock it, all are listed.',
    client:
      'Show what unlocks it. If the phone recorded units without network, send them in the order of the course, then repeat this request.',
    example: {
      lockedBy: [{ kind: 'day', unitId: null, day: 7, date: '2026-03-09', questionnaireId: null }],
    },
  },
};
