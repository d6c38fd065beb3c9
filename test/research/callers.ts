import { type Callers, type Holders, patients, type Roles } from '../callers.ts';

const researchers: Roles = { medinfo: ['researcher'] };

export const callers: Callers = {
  'POST /research/studies': researchers,
  'GET /research/studies': researchers,
  'GET /research/studies/{studyId}': researchers,
  'PUT /research/studies/{studyId}': researchers,
  'POST /research/studies/{studyId}/transition': researchers,
  'POST /research/studies/{studyId}/code': researchers,
  'POST /research/studies/{studyId}/invitations': researchers,
  'GET /research/studies/{studyId}/participants': researchers,
  'POST /users/me/studies/lookup': patients,
  'POST /users/me/studies': patients,
  'GET /users/me/studies': patients,
  'DELETE /users/me/studies/{studyId}': patients,
};

export const holders: Holders = {
  'research:admin': researchers,
  'studies:write-own': patients,
};
