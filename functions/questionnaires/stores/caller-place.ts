import { get } from '../../../lib/runtime/rows.ts';
import { type Erased, isErased, knownZone, type User } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';

/**
 * A person's time zone and language, from the profile. Null if the profile does not have them, or does not exist yet.
 */
export type CallerPlace = { readonly locale: string | null; readonly timezone: string | null };

export async function readPlace(table: Users<'get'>, userId: string): Promise<CallerPlace> {
  const user = await get<User | Erased>(table, { userId });
  return user && !isErased(user)
    ? { locale: user.locale, timezone: knownZone(user.timezone) }
    : { locale: null, timezone: null };
}
