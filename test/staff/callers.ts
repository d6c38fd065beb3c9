import { admins, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'POST /admin/staff': admins,
  'GET /admin/staff': admins,
  'POST /admin/staff/accept': 'public',
  'GET /admin/staff/{staffId}': admins,
  'PATCH /admin/staff/{staffId}': admins,
  'POST /admin/staff/{staffId}/invitation': admins,
  'POST /admin/staff/{staffId}/disable': admins,
  'POST /admin/staff/{staffId}/enable': admins,
  'POST /admin/staff/{staffId}/reset-mfa': admins,
  'GET /iam/users/{userId}/roles': admins,
  'PUT /iam/users/{userId}/roles/{role}': admins,
  'DELETE /iam/users/{userId}/roles/{role}': admins,
};

export const holders: Holders = { 'iam:admin': admins };
