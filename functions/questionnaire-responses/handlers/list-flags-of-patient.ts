import { fitting } from '../../../lib/runtime/fitting.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listFlagsOfPatient } from '../routes.ts';
import { QuestionnaireFlag } from '../schemas.ts';
import { readFlagsOfUser } from '../stores/flag-rows.ts';

export const handler = servePages(
  listFlagsOfPatient,
  lambdaWithAccess,
)(async ({ params, page, tables }) => {
  const after = page.after ? String(page.after.flagId) : null;
  const asked = { limit: page.limit, after };
  const { found, next } = await readFlagsOfUser(tables.QuestionnaireFlags, params.userId, asked);
  return { items: fitting(QuestionnaireFlag, found), next: next === null ? null : { flagId: next } };
});
