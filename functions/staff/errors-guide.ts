import type { GuideTo } from '../../lib/contract/errors.ts';
import type * as errors from './errors.ts';

export const guide: GuideTo<typeof errors> = {
  StaffNotFound: {
    when: 'No account of the staff has this id, or the deletion of the account was requested.',
    client: 'Read the list of the staff again.',
  },
  RoleNotFound: {
    when: 'The path names a role that this application does not have in this environment.',
    client: 'Offer only the roles of `GET /iam/roles`.',
  },
  OwnAccount: {
    when: 'Administrators cannot change their own roles, disable their own account or reset their own second factor.',
    client: "Ask another administrator. Do not offer these actions for the user's own account.",
  },
  StaffExists: {
    when: 'An invitation names an address that already has an account.',
    client: 'Look for the address in the list of the staff, and change the roles of that account, or enable it.',
  },
  InvitationInvalid: {
    when:
      'The token or the code is wrong or expired, or was tried five times; or the address has no open invitation. The ' +
      'answer does not say which.',
    client:
      'Let the person open the link of the latest mail and type the code again, and then ask an administrator to renew the invitation.',
  },
};
