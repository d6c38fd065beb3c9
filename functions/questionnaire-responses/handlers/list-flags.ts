import { fitting } from '../../../lib/runtime/fitting.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listFlags } from '../routes.ts';
import { QuestionnaireFlag } from '../schemas.ts';
import { readFlags } from '../stores/flag-rows.ts';

export const handler = servePages(
  listFlags,
  lambdaWithAccess,
)(async ({ query, page, tables }) => {
  const { state = 'open' } = query;
  const after = page.after ? String(page.after.name) : null;
  const { found, next } = await readFlags(tables.QuestionnaireFlags, state, { limit: page.limit, after });
  return { items: fitting(QuestionnaireFlag, found), next: next === null ? null : { name: next } };
});
