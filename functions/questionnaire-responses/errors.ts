import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';

export const QuestionnaireResponseNotFound = error({
  code: 'QUESTIONNAIRE_RESPONSE_NOT_FOUND',
  status: 404,
  message: 'The caller has no such response.',
});

export const QuestionnaireFlagNotFound = error({
  code: 'QUESTIONNAIRE_FLAG_NOT_FOUND',
  status: 404,
  message: 'There is no such flag.',
});

export const QuestionnaireFlagEnded = error({
  code: 'QUESTIONNAIRE_FLAG_ENDED',
  status: 409,
  message: 'The flag has ended with another outcome.',
  detail: () => z.object({ outcome: z.string() }),
});

export const QuestionnaireResponseCompleted = error({
  code: 'QUESTIONNAIRE_RESPONSE_COMPLETED',
  status: 409,
  message: 'A completed response cannot be changed.',
});

export const QuestionnaireResponseNotCompleted = error({
  code: 'QUESTIONNAIRE_RESPONSE_NOT_COMPLETED',
  status: 409,
  message: 'The response is still a draft.',
});

export const QuestionnaireResponseDeleted = error({
  code: 'QUESTIONNAIRE_RESPONSE_DELETED',
  status: 409,
  message: 'The draft was deleted after this was recorded.',
});

export const QuestionnaireResponseAmended = error({
  code: 'QUESTIONNAIRE_RESPONSE_AMENDED',
  status: 409,
  message: 'The response was already amended.',
  detail: () => z.object({ amendedBy: z.string() }),
});

export const QuestionnaireNotDue = error({
  code: 'QUESTIONNAIRE_NOT_DUE',
  status: 409,
  message: 'The bundle was not open when this was recorded.',
});

export const QuestionnaireAnswered = error({
  code: 'QUESTIONNAIRE_ANSWERED',
  status: 409,
  message: 'This occurrence of the questionnaire has another response.',
  detail: () => z.object({ responseId: z.string() }),
});
