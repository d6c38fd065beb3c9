import { error } from '../../lib/contract/errors.ts';

export const QuestionnaireNotFound = error({
  code: 'QUESTIONNAIRE_NOT_FOUND',
  status: 404,
  message: 'There is no such questionnaire, or no such version of it.',
});

export const QuestionnaireBundleNotFound = error({
  code: 'QUESTIONNAIRE_BUNDLE_NOT_FOUND',
  status: 404,
  message: 'There is no such bundle of questionnaires.',
});

export const QuestionnaireVersionPublished = error({
  code: 'QUESTIONNAIRE_VERSION_PUBLISHED',
  status: 409,
  message: 'A published version cannot be changed.',
});
