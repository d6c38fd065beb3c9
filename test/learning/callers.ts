import { type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = {
  'GET /learning/courses': patients,
  'GET /learning/courses/{courseId}': patients,
  'GET /learning/units/{unitId}': patients,
  'PUT /learning/units/{unitId}/progress': patients,
  'POST /learning/units/{unitId}/complete': patients,
  'GET /learning/progress': patients,
  'GET /users/me/programme': patients,
};

export const holders: Holders = {
  'learning:read-own': patients,
  'learning:write-own': patients,
};
