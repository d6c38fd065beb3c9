import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listCrmUsers } from '../routes.ts';
import { shownEntry } from '../rules/directory.ts';
import { nameText } from '../rules/name-text.ts';
import { readDirectory } from '../stores/directory-rows.ts';

export const handler = servePages(
  listCrmUsers,
  lambdaWithAccess,
)(async ({ query, page, tables, fail }) => {
  const after = page.after ? String(page.after.place) : null;
  const text = nameText(query.name ?? '');
  if (query.name !== undefined && text === '') {
    const message = 'must have a letter or a digit';
    return fail(ValidationFailed, { issues: [{ in: 'query', path: 'name', code: 'inconsistent', message }] });
  }
  const { entries, next } = await readDirectory(tables.StaffDirectory, text, { limit: page.limit, after });
  return { items: entries.map(shownEntry), next: next === null ? null : { place: next } };
});
