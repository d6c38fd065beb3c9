import { accepted, type PersonalRows } from '../personal-rows.ts';
import { phq9 } from '../questionnaires/instruments.ts';

/** A response and its correction, with a flag that is open. */
export const personalRows: PersonalRows = async ({ call, canary }) => {
  const path = `/questionnaires/responses/${canary}`;
  const draft = { questionnaireId: 'phq-9', version: '1.1', answers: phq9(1) };
  await accepted(call('PUT', path, draft));
  await accepted(call('POST', `${path}/complete`));
  await accepted(call('POST', `${path}/amend`, { responseId: `${canary}-2`, answers: phq9(2) }));
};
