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
  message: 'Administrators cannot administer their own account.',
});

export const StaffExists = error({
  code: 'STAFF_EXISTS',
  status: 409,
  message: 'The address already belongs to an account.',
});

export const InvitationInvalid = error({
  code: 'INVITATION_INVALID',
  status: 400,
  message: 'The address has no open invitation with this token and code.',
});
