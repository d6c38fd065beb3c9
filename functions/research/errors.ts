import { error } from '../../lib/contract/errors.ts';

export const StudyNotFound = error({
  code: 'STUDY_NOT_FOUND',
  status: 404,
  message: 'There is no such study.',
});

export const StudyCodeNotFound = error({
  code: 'STUDY_CODE_NOT_FOUND',
  status: 404,
  message: 'No study has this code.',
});

export const StudyGroupNotFound = error({
  code: 'STUDY_GROUP_NOT_FOUND',
  status: 404,
  message: 'The study has no group with this name.',
});

export const StudyAgreementUnfit = error({
  code: 'STUDY_AGREEMENT_UNFIT',
  status: 409,
  message: 'The sleep-care app has no optional agreement with this id.',
});

export const StudyFrozen = error({
  code: 'STUDY_FROZEN',
  status: 409,
  message: 'Only a draft can change what it collects.',
});

export const StudyTransitionRefused = error({
  code: 'STUDY_TRANSITION_REFUSED',
  status: 409,
  message: 'The study cannot change from its state to this one.',
});

export const StudyNotRecruiting = error({
  code: 'STUDY_NOT_RECRUITING',
  status: 409,
  message: 'Nobody can join the study now.',
});

export const StudyInvitationUsed = error({
  code: 'STUDY_INVITATION_USED',
  status: 409,
  message: 'The invitation was already used.',
});

export const TooManyStudies = error({
  code: 'TOO_MANY_STUDIES',
  status: 409,
  message: 'The caller takes part in 20 studies.',
});
