import * as z from 'zod/mini';
import { roles } from '../../lib/contract/roles.ts';
import { route } from '../../lib/contract/route.ts';
import { permissions } from './generated.ts';
import { viewOwnPermissions } from './permissions.ts';

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
  // The token alone is asked.
  whenClosed: 'answers',
  items: RolePermissions,
  defaultLimit: 100,
  errors: [],
});

export const readOwnPermissions = route({
  method: 'GET',
  path: '/iam/users/me/permissions',
  summary: "The caller's roles and permissions",
  description:
    'Groups of the user pool that are no role here are left out. A caller without a role has permissions, too.',
  applications: both,
  auth: viewOwnPermissions,
  // The token alone is asked.
  whenClosed: 'answers',
  response: z.object({ userId: z.string(), roles: z.array(Role), permissions: Permissions }),
  errors: [],
});
