import { accepted, type PersonalRows } from '../personal-rows.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** A response and its correction, with a flag that is open; a decision, and what a watcher has kept. */
export const personalRows: PersonalRows = async ({ call, canary, userId, put }) => {
  const path = `/questionnaires/responses/${canary}`;
  const draft = { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) };
  await accepted(call('PUT', path, draft));
  await accepted(call('POST', `${path}/complete`));
  await accepted(call('POST', `${path}/amend`, { responseId: `${canary}-2`, answers: phq9(2) }));
  const at = '2026-01-01T00:00:00.000Z';
  const decision = { decision: `${canary}#acknowledged`, flagId: canary, what: 'acknowledged', at, by: 'safety' };
  await put('FlagDecisions', { userId, ...decision });
  await put('QuestionnaireEvidence', { userId, change: canary, at, before: canary, after: canary });
};
