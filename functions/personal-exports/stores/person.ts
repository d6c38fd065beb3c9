import type { ExportedPerson } from '../../../lib/runtime/exporter.ts';
import { readUser } from '../../users/exports.ts';
import { isErased } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';

/** In which language and zone an export is written: German if the user has chosen it, else English. */
export async function readPerson(
  table: Users<'get'>,
  { userId, application }: { readonly userId: string; readonly application: string },
): Promise<ExportedPerson> {
  const found = await readUser(table, userId);
  const { locale, timezone } = found && !isErased(found) ? found : { locale: null, timezone: null };
  const isGerman = /^de\b/i.test(locale ?? '');
  return { userId, application, locale: isGerman ? 'de' : 'en', timeZone: timezone ?? 'UTC' };
}
