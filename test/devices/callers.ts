import { type Callers, patients } from '../callers.ts';

export const callers: Callers = {
  'PUT /users/me/devices/{deviceId}': patients,
  'GET /users/me/devices': patients,
  'DELETE /users/me/devices/{deviceId}': patients,
};
