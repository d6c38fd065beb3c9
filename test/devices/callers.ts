import { type Callers, type Holders, own, patients } from '../callers.ts';

export const callers: Callers = {
  'PUT /users/me/devices/{deviceId}': patients,
  'GET /users/me/devices': patients,
  'DELETE /users/me/devices/{deviceId}': patients,
};

export const holders: Holders = {
  'devices:read-own': own,
  'devices:write-own': own,
};
