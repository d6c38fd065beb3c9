import { error } from '../../lib/contract/errors.ts';

export const UserNotFound = error({
  code: 'USER_NOT_FOUND',
  status: 404,
  message: 'There is no such user.',
});
