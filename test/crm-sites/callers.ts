import { admins, type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = {
  'POST /crm/sites': admins,
  'GET /crm/sites': admins,
  'GET /crm/sites/{siteId}': admins,
  'PATCH /crm/sites/{siteId}': admins,
  'DELETE /crm/sites/{siteId}': admins,
  'POST /crm/sites/{siteId}/code': admins,
  'GET /crm/sites/{siteId}/staff': admins,
  'PUT /crm/sites/{siteId}/staff/{userId}': admins,
  'DELETE /crm/sites/{siteId}/staff/{userId}': admins,
  'GET /users/me/sites': patients,
  'POST /users/me/sites': patients,
  'PUT /users/me/sites/{siteId}': patients,
  'PATCH /users/me/sites/{siteId}': patients,
  'DELETE /users/me/sites/{siteId}': patients,
};

export const holders: Holders = {
  'sites:read-own': patients,
  'sites:write-own': patients,
};
