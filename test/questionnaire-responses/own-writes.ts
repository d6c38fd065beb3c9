import type { OwnWrites } from '../own-writes.ts';
import { phq9 } from '../questionnaires/instruments.ts';

const path = '/questionnaires/responses/first';
const draft = { questionnaireId: 'phq-9', version: '1.1', answers: phq9() };

export const ownWrites: OwnWrites = {
  putQuestionnaireResponse: async ({ call }) => {
    return () => call('PUT', path, draft);
  },
  deleteQuestionnaireResponse: async ({ call }) => {
    await call('PUT', path, draft);
    return () => call('DELETE', path);
  },
  completeQuestionnaireResponse: async ({ call }) => {
    await call('PUT', path, draft);
    return () => call('POST', `${path}/complete`);
  },
  amendQuestionnaireResponse: async ({ call }) => {
    await call('PUT', path, draft);
    await call('POST', `${path}/complete`);
    return () => call('POST', `${path}/amend`, { responseId: 'second', answers: phq9(0, 2) });
  },
};
