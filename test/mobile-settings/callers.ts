import { admins, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'GET /mobile/settings': 'public',
  'GET /mobile/settings/definitions': admins,
  'GET /mobile/settings/definitions/{settingId}': admins,
  'PUT /mobile/settings/definitions/{settingId}': admins,
  'DELETE /mobile/settings/definitions/{settingId}': admins,
  'POST /mobile/settings/definitions/{settingId}/simulate': admins,
};

export const holders: Holders = {
  'settings:admin': admins,
};
