import { error } from '../../lib/contract/errors.ts';

export const AppVersionPolicyNotFound = error({
  code: 'APP_VERSION_POLICY_NOT_FOUND',
  status: 404,
  message: 'There is no such app-version policy.',
});
