import { type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = {
  'GET /questionnaires/bundles': patients,
  'GET /questionnaires/responses': patients,
  'GET /questionnaires/responses/{responseId}': patients,
  'PUT /questionnaires/responses/{responseId}': patients,
  'DELETE /questionnaires/responses/{responseId}': patients,
  'POST /questionnaires/responses/{responseId}/complete': patients,
  'POST /questionnaires/responses/{responseId}/amend': patients,
};

export const holders: Holders = {
  'questionnaires:read-own': patients,
  'questionnaires:write-own': patients,
  'questionnaires:flags': { medinfo: ['clinical-safety'] },
};
