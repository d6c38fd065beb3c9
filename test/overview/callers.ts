import { admins, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = { 'GET /admin/overview': admins };

export const holders: Holders = {};
