import { admins, type Callers, everyone, type Holders, type Roles } from '../callers.ts';

/** Everybody of the sleep-care app, and the staff that works with answers. */
const readers: Roles = {
  sleepcare: everyone.sleepcare,
  medinfo: ['physician', 'agent', 'admin', 'clinical-safety'],
};

export const callers: Callers = {
  'GET /questionnaires': readers,
  'GET /questionnaires/{questionnaireId}': readers,
  'PUT /questionnaires/{questionnaireId}/versions/{version}': admins,
  'POST /questionnaires/simulate': admins,
  'POST /questionnaires/imports': admins,
  'GET /admin/questionnaires/bundles': admins,
  'GET /admin/questionnaires/bundles/{bundleId}': admins,
  'PUT /admin/questionnaires/bundles/{bundleId}': admins,
};

export const holders: Holders = {
  'questionnaires:read': readers,
  'questionnaires:admin': admins,
};
