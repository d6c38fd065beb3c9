import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  QuestionnaireNotFound: {
    when: 'No questionnaire of this id is published, or not in this version.',
    client: 'Read what is due again; it names the current version.',
  },
  QuestionnaireBundleNotFound: {
    when: 'There is no bundle of this id.',
    client: 'List the bundles.',
  },
  QuestionnaireVersionPublished: {
    when: 'This version is published with other content. Responses refer to it for ever.',
    client: 'Publish the change under a new version.',
  },
};
