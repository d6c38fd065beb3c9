import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { Id } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { get, read } from '../../lib/contract/uses.ts';
import { ConsentRecords, ConsentStates } from '../access/consent-states.ts';
import { CareRelations, Staff } from '../access/data-subject.ts';
import { permissions } from '../generated/iam-permissions.ts';
import { roles } from '../product.ts';
import { viewOwnPermissions } from './permissions.ts';
import { reasons } from './schemas.ts';

const both = ['sleepcare', 'medinfo'] as const;

const Role = z.enum(roles);
const Permissions = z.array(z.enum(permissions.map(({ name }) => name)));

export const RolePermissions = z.object({ role: Role, permissions: Permissions });

export const listRoles = route({
  method: 'GET',
  path: '/iam/roles',
  summary: 'The roles of the application in this environment, with their permissions',
  description: 'The permissions of a role include those of every caller. Operations name theirs as `x-permission`.',
  applications: both,
  auth: viewOwnPermissions,
  // Only the token is needed.
  closedAccount: 'read',
  cursor: 'from',
  items: RolePermissions,
  defaultLimit: 100,
  errors: [],
});

export const readOwnPermissions = route({
  method: 'GET',
  path: '/iam/users/me/permissions',
  summary: "The caller's roles and permissions",
  description:
    'In sleepcare, groups of the user pool that are not roles here are left out; in medinfo only the staff list gives roles. A caller without a role has permissions, too.',
  applications: both,
  auth: viewOwnPermissions,
  // Only the token is needed.
  closedAccount: 'read',
  response: z.object({ userId: z.string(), roles: z.array(Role), permissions: Permissions }),
  errors: [],
});

export const checkPermission = route({
  method: 'POST',
  path: '/iam/check',
  summary: 'Whether the caller may do something, and why',
  description:
    'With `about` (the id of a patient) the answer also depends on whether the patient is with a site of the ' +
    'caller and consents to share data with it. The routes about patients check the same. The answer is the same ' +
    'for a patient of other sites and for an id that does not exist.',
  applications: both,
  auth: viewOwnPermissions,
  uses: [read(Staff), read(CareRelations), get(ConsentStates), read(ConsentRecords), get(Accounts)],
  body: z.object({ permission: z.string().check(z.maxLength(100)), about: z.optional(Id) }),
  response: z.object({ allowed: z.boolean(), because: z.enum(reasons) }),
  errors: [],
});
