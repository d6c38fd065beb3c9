import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  QuestionnaireResponseNotFound: {
    when: "The caller has no response of this id, or deleted it as a draft. Another user's counts as none.",
    client: 'Read what is due, or the list of responses, again.',
  },
  QuestionnaireFlagNotFound: {
    when: 'There is no flag of this id, or its patient was erased.',
    client: 'List the flags again.',
  },
  QuestionnaireResponseCompleted: {
    when: 'The response was completed, perhaps on another phone: it is neither changed nor deleted any more.',
    client: 'Read the response and show it. A correction is a new response, by `amend`.',
  },
  QuestionnaireResponseNotCompleted: {
    when: 'Only what is completed can be amended.',
    client: 'Change the draft by PUT, then complete it.',
  },
  QuestionnaireResponseDeleted: {
    when: 'Another phone deleted the draft later than this was recorded.',
    client: 'Drop the draft on this phone too. To answer all the same, begin under a new id.',
  },
  QuestionnaireResponseAmended: {
    when: 'A correction of this response is there already. `detail.amendedBy` names it.',
    client: 'Read that response, and amend it where it has to be corrected again.',
    example: { amendedBy: 'a7c1e0f2' },
  },
  QuestionnaireNotDue: {
    when: 'On the date of `recordedAt`, where the patient is, no occurrence of the bundle was open: it is not yet, or was missed. Or what a code unlocked had ended by `recordedAt`, perhaps earlier than it was to.',
    client: 'Read what is due again. Without `bundleId` a questionnaire can be answered at any time.',
  },
  QuestionnaireAnswered: {
    when: 'Each occurrence takes one response, and another one, named by `detail.responseId`, was begun or completed, perhaps on another phone.',
    client: 'Go on with that response.',
    example: { responseId: 'a7c1e0f2' },
  },
};
