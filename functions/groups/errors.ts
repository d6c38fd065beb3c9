import { error } from '../../lib/contract/errors.ts';

export const GroupNotFound = error({
  code: 'GROUP_NOT_FOUND',
  status: 404,
  message: 'There is no such group.',
});

export const GroupMessageNotFound = error({
  code: 'GROUP_MESSAGE_NOT_FOUND',
  status: 404,
  message: 'There is no such message to the group.',
});

export const GroupFull = error({
  code: 'GROUP_FULL',
  status: 409,
  message: 'The group has the maximum number of members.',
});

export const GroupNotEmpty = error({
  code: 'GROUP_NOT_EMPTY',
  status: 409,
  message: 'The group still has members.',
});

export const GroupWithoutBoards = error({
  code: 'GROUP_WITHOUT_BOARDS',
  status: 409,
  message: 'Members of staff have no agent board.',
});

export const TooManyGroupMessages = error({
  code: 'TOO_MANY_GROUP_MESSAGES',
  status: 429,
  message: 'Three messages to the group are not posted to all members yet.',
  retryAfter: 60,
});
