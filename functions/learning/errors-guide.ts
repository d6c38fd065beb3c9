import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  CourseNotFound: {
    when: 'No course of this id is published.',
    client: 'List the courses again.',
  },
  UnitNotFound: {
    when: 'No unit of this id is in the current version of its course. It may have been in an earlier one.',
    client: 'Read the course again.',
  },
  UnitLocked: {
    when: '`detail.lockedBy` has all that is still missing: an entitlement, a unit before it, a day (and on which date it is), a questionnaire. Of alternatives each is named.',
    client:
      'Show what unlocks it. What a phone wrote without network in another order: send what comes first, then this again.',
    example: {
      lockedBy: [{ kind: 'day', unitId: null, day: 7, date: '2026-03-09', questionnaireId: null }],
    },
  },
};
