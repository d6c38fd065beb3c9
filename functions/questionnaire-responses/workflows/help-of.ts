import { preferredLanguage } from '../../../lib/runtime/language.ts';
import { readLocaleAndZone } from '../../questionnaires/exports.ts';
import { type CrisisHelp, crisisHelp } from '../../questionnaires/rules.ts';
import type { Users } from '../../users/tables.ts';
import { wouldFlag } from '../rules/response.ts';
import type { ResponseRow } from '../tables.ts';
import { type DefinitionTables, definitionOf, type ResponseDependencies } from './dependencies.ts';

type Asking = ResponseDependencies<DefinitionTables & { readonly Users: Users<'get'> }>;

/**
 * A response in the form that its patient gets. If it raised a flag, or is a draft that would raise one, it says whom to
 * call in a crisis.
 *
 * @param headers of the request: they choose the language of the words, never the country
 */
export async function withHelp<Row extends ResponseRow>(
  deps: Asking,
  response: Row,
  headers: { readonly 'accept-language'?: string | undefined },
): Promise<Row & { readonly crisisHelp: CrisisHelp | null }> {
  if (!(await isCritical(deps, response))) return { ...response, crisisHelp: null };
  const localeAndZone = await readLocaleAndZone(deps.tables.Users, deps.userId);
  const help = crisisHelp(localeAndZone, preferredLanguage(headers['accept-language']));
  const isDraft = response.status === 'draft';
  return { ...response, crisisHelp: { ...help, draftNotice: isDraft ? help.draftNotice : null } };
}

async function isCritical(deps: Asking, response: ResponseRow): Promise<boolean> {
  if (response.status === 'completed') return response.flags.length > 0;
  return wouldFlag(await definitionOf(deps, response), response.answers);
}
