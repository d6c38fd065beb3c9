import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  QuestionnaireNotFound: {
    when: 'No questionnaire with this id is published, or not in this version.',
    client: 'Read the questionnaires that are due again; that list names the current version.',
  },
  QuestionnaireBundleNotFound: {
    when: 'There is no bundle with this id.',
    client: 'List the bundles.',
  },
  QuestionnaireVersionPublished: {
    when: 'This version is already published with other content. It can never change, as responses refer to it.',
    client: 'Publish the change under a new version.',
  },
};
