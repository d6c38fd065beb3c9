import { permission } from '../../lib/contract/permissions.ts';

/** What is published is nobody's secret: everybody who is signed in, staff included. */
export const readQuestionnaires = permission('questionnaires:read', {
  everyoneIn: ['sleepcare'],
  roles: ['physician', 'agent', 'admin', 'clinical-safety'],
});

export const administerQuestionnaires = permission('questionnaires:admin', { roles: ['admin'] });
