import { error } from '../../lib/contract/errors.ts';

export const ConsentsReleased = error({
  code: 'CONSENTS_RELEASED',
  status: 409,
  message: 'The records of this user are released already; a hold comes too late.',
});
