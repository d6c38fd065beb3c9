import { type Callers, type Holders, patients, type Roles } from '../callers.ts';

const safety: Roles = { medinfo: ['clinical-safety'] };

export const callers: Callers = {
  'GET /questionnaires/bundles': patients,
  'GET /questionnaires/responses': patients,
  'GET /questionnaires/scores': patients,
  'GET /questionnaires/responses/{responseId}': patients,
  'PUT /questionnaires/responses/{responseId}': patients,
  'DELETE /questionnaires/responses/{responseId}': patients,
  'POST /questionnaires/responses/{responseId}/complete': patients,
  'POST /questionnaires/responses/{responseId}/amend': patients,
  'GET /users/{userId}/questionnaires/responses': { medinfo: ['physician'] },
  'GET /questionnaires/flags': safety,
  'POST /questionnaires/flags/{flagId}/acknowledge': safety,
  'POST /questionnaires/flags/{flagId}/outcome': safety,
  'GET /users/{userId}/questionnaires/flags': { medinfo: ['physician'] },
  'POST /users/{userId}/questionnaires/flags/{flagId}/outcome': { medinfo: ['physician'] },
};

export const holders: Holders = {
  'patients:read': { medinfo: ['physician'] },
  'questionnaires:read-own': patients,
  'questionnaires:write-own': patients,
  'questionnaires:flags': safety,
  'questionnaires:end-flags': { medinfo: ['physician'] },
};
