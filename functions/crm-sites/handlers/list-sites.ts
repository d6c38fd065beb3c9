import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { nameText } from '../../crm-users/rules.ts';
import { listSites } from '../routes.ts';
import { postalText } from '../rules/postal-text.ts';
import { readSites, type Search } from '../stores/sites.ts';

export const handler = serve(listSites)(async ({ query, page, tables, fail }) => {
  const { name, postalCode } = query;
  const search = searchOf(name, postalCode);
  if (name !== undefined && postalCode !== undefined) {
    return fail(ValidationFailed, { issues: [refused('postalCode', 'must not come with `name`')] });
  }
  if (search.kind !== 'site' && search.text === '') {
    const path = search.kind === 'name' ? 'name' : 'postalCode';
    return fail(ValidationFailed, { issues: [refused(path, 'must have a letter or a digit')] });
  }
  const { sites, next } = await readSites(tables.Sites, search, page);
  return { items: sites, next };
});

function refused(path: string, message: string) {
  return { in: 'query', path, code: 'inconsistent', message } as const;
}

function searchOf(name: string | undefined, postalCode: string | undefined): Search {
  if (name !== undefined) return { kind: 'name', text: nameText(name) };
  return postalCode === undefined ? { kind: 'site' } : { kind: 'postal-code', text: postalText(postalCode) };
}
