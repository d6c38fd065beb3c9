import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  StudyNotFound: {
    when: 'No study has this id; or the caller never joined it.',
    client: 'Read the list of studies again.',
  },
  StudyCodeNotFound: {
    when: 'The text is no code, or no study has this code now: the study may have another one since.',
    client: 'Ask the user to compare the text with the code, and to ask the study team for the current one.',
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
    when: 'The request changes more than the title of a study that is no draft.',
    client: 'Let only the title be edited. What is collected differently is a new study with an agreement of its own.',
  },
  StudyTransitionRefused: {
    when: 'The state does not follow on the current one. The order is `draft`, `recruiting`, `closed`, `archived`.',
    client: 'Read the study again, and offer only its next state.',
  },
  StudyNotRecruiting: {
    when: 'The study is not in the state `recruiting`, or its period is over. Codes and invitations are made for a `draft`, too.',
    client: 'Tell the user that nobody can join the study now.',
  },
  StudyInvitationUsed: {
    when: 'Another account has joined by this invitation.',
    client: 'Tell the user to ask the study team for another invitation.',
  },
  TooManyStudies: {
    when: 'The caller takes part in 20 studies.',
    client: 'Let the user leave one of them first.',
  },
};
