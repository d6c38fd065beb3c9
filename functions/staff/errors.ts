import { error } from '../../lib/contract/errors.ts';

export const StaffNotFound = error({
  code: 'STAFF_NOT_FOUND',
  status: 404,
  message: 'There is no such member of staff.',
});

export const RoleNotFound = error({
  code: 'ROLE_NOT_FOUND',
  status: 404,
  message: 'There is no such role in this application.',
});

export const OwnAccount = error({
  code: 'OWN_ACCOUNT',
  status: 403,
  message: 'Nobody administers their own account.',
});

export const StaffExists = error({
  code: 'STAFF_EXISTS',
  status: 409,
  message: 'The address is that of an account already.',
});

export const InvitationInvalid = error({
  code: 'INVITATION_INVALID',
  status: 400,
  message: 'The code is not that of an open invitation of this address.',
});
