import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listCrmUsers } from '../routes.ts';
import { shownEntry } from '../rules/directory.ts';
import { nameText } from '../rules/name-text.ts';
import { readDirectory } from '../stores/directory-rows.ts';

export const handler = serve(listCrmUsers)(async ({ query, page, tables, fail }) => {
  const text = nameText(query.name ?? '');
  if (query.name !== undefined && text === '') {
    const message = 'must have a letter or a digit';
    return fail(ValidationFailed, { issues: [{ in: 'query', path: 'name', code: 'inconsistent', message }] });
  }
  const { entries, next } = await readDirectory(tables.StaffDirectory, text, page);
  return { items: entries.map(shownEntry), next };
});
