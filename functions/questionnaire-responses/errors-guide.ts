import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  QuestionnaireResponseNotFound: {
    when: 'The caller has no response with this id, or deleted it as a draft. A response of another user gives the same answer.',
    client: 'Read the questionnaires that are due, or the list of responses, again.',
  },
  QuestionnaireFlagNotFound: {
    when: 'There is no flag with this id, or the patient’s account was erased.',
    client: 'List the flags again.',
  },
  QuestionnaireFlagEnded: {
    when: 'Somebody has recorded another outcome of this flag, which `detail.outcome` names. Only `cleared` can follow `referred` or `not-reached`.',
    client: 'List the flags again and show the recorded outcome.',
    example: { outcome: 'cleared' },
  },
  QuestionnaireResponseCompleted: {
    when: 'The response was completed, perhaps on another phone: it can no longer be changed or deleted.',
    client: 'Read the response and show it. A correction is a new response, by `amend`.',
  },
  QuestionnaireResponseNotCompleted: {
    when: 'Only a completed response can be amended.',
    client: 'Change the draft by PUT, then complete it.',
  },
  QuestionnaireResponseDeleted: {
    when: 'Another phone deleted the draft after this version was recorded.',
    client: 'Delete the draft on this phone, too. If the user still wants to answer, begin with a new id.',
  },
  QuestionnaireResponseAmended: {
    when: 'This response already has a correction. `detail.amendedBy` names it.',
    client: 'Read that response, and amend it if it has to be corrected again.',
    example: { amendedBy: 'a7c1e0f2' },
  },
  QuestionnaireNotDue: {
    when: 'On the date of `recordedAt`, in the patient’s time zone, no occurrence of the bundle was open: it begins later, or was missed. Or the programme that a code unlocked had ended by `recordedAt`, perhaps earlier than planned.',
    client:
      'Read the questionnaires that are due again. Without `bundleId` a questionnaire can be answered at any time.',
  },
  QuestionnaireAnswered: {
    when: 'Each occurrence has one response. Another response was already begun or completed, perhaps on another phone; `detail.responseId` names it.',
    client: 'Continue with that response.',
    example: { responseId: 'a7c1e0f2' },
  },
};
