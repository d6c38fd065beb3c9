import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  StudyNotFound: {
    when: 'No study has this id; or the caller never joined it.',
    client: 'Read the list of studies again.',
  },
  StudyCodeNotFound: {
    when: 'The text is not a code, or no study has this code: it may have been replaced.',
    client: 'Ask the user to compare the text with the code, and to ask the study team for the current code.',
  },
  StudyGroupNotFound: {
    when: 'Invitations were asked for a group that the study does not have.',
    client: 'Offer only the `groups` of the study.',
  },
  StudyAgreementUnfit: {
    when: 'The sleep-care app has no agreement with this `agreementId`, or it is a required one, which nobody could revoke.',
    client: 'Offer only optional agreements of the sleep-care app.',
  },
  StudyFrozen: {
    when: 'The study is not a draft, and the request changes more than its title.',
    client: 'Allow only changes of the title. To collect other data, create a new study with its own agreement.',
  },
  StudyTransitionRefused: {
    when: 'The requested state does not follow the present state. The order is `draft`, `recruiting`, `closed`, `archived`.',
    client: 'Read the study again, and offer only its next state.',
  },
  StudyNotRecruiting: {
    when: 'The study is not in the state `recruiting`, or its period is over. Codes and invitations are made for a `draft`, too.',
    client: 'Tell the user that nobody can join the study now.',
  },
  StudyInvitationUsed: {
    when: 'Another account has already joined with this invitation.',
    client: 'Tell the user to ask the study team for another invitation.',
  },
  TooManyStudies: {
    when: 'The caller already takes part in 20 studies.',
    client: 'Offer to leave a study first.',
  },
};
