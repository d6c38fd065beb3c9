import { get } from '../../../lib/runtime/rows.ts';
import { type Erased, isErased, knownZone, type User } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';
import type { LocaleAndZone } from '../rules/crisis-help.ts';

export async function readLocaleAndZone(table: Users<'get'>, userId: string): Promise<LocaleAndZone> {
  const user = await get<User | Erased>(table, { userId });
  return user && !isErased(user)
    ? { locale: user.locale, timezone: knownZone(user.timezone) }
    : { locale: null, timezone: null };
}
