import { error } from '../../lib/contract/errors.ts';

export const MessageNotFound = error({
  code: 'MESSAGE_NOT_FOUND',
  status: 404,
  message: 'The caller has no such message.',
});
