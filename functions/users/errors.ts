import { error } from '../../lib/contract/errors.ts';

export const BirthYearStated = error({
  code: 'BIRTH_YEAR_STATED',
  status: 409,
  message: 'The year of birth is stated already, and cannot be changed.',
});

export const UserNotFound = error({
  code: 'USER_NOT_FOUND',
  status: 404,
  message: 'There is no such user.',
});
