import { admins, type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = {
  'POST /access-codes/batches': admins,
  'GET /access-codes/batches': admins,
  'GET /access-codes/batches/{batchId}': admins,
  'POST /access-codes/batches/{batchId}/revoke': admins,
  'POST /access-codes/{accessCodeId}/revoke': admins,
  'POST /access-codes/lookup': admins,
  'POST /access-codes/validate': patients,
  'POST /access-codes/redeem': patients,
  'GET /users/me/entitlements': patients,
};

export const holders: Holders = {
  'access-codes:issue': admins,
  'access-codes:write-own': patients,
  'entitlements:read-own': patients,
};
