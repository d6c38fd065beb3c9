import { admins, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'GET /mobile/app-version/check': 'public',
  'GET /mobile/app-version/policies/{application}/{platform}': admins,
  'PUT /mobile/app-version/policies/{application}/{platform}': admins,
  'POST /mobile/app-version/policies/{application}/{platform}/simulate': admins,
};

export const holders: Holders = {
  'app-version:admin': admins,
};
