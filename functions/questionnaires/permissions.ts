import { permission } from '../../lib/contract/permissions.ts';

/** Published questionnaires are not secret: for everybody who is signed in, including staff. */
export const readQuestionnaires = permission('questionnaires:read', {
  everyoneIn: ['sleepcare'],
  roles: ['physician', 'agent', 'admin', 'clinical-safety'],
});

export const administerQuestionnaires = permission('questionnaires:admin', { roles: ['admin'] });
