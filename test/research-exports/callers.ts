import type { Callers, Holders, Roles } from '../callers.ts';

const researchers: Roles = { medinfo: ['researcher'] };

export const callers: Callers = {
  'POST /research/studies/{studyId}/exports': researchers,
  'GET /research/studies/{studyId}/exports': researchers,
  'GET /research/studies/{studyId}/exports/{exportId}': researchers,
  'GET /research/studies/{studyId}/notices': researchers,
  'POST /research/manifests/verify': 'public',
};

/** The permission is that of studies. */
export const holders: Holders = {};
