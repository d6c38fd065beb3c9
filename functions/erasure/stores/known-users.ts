import { inPartition } from '../../../lib/runtime/key-range.ts';
import { get, query } from '../../../lib/runtime/rows.ts';
import type { ConsentStates } from '../../access/consent-states.ts';
import type { Users } from '../../users/tables.ts';

/**
 * Whether a user is known: by a profile, by the rest of an erased profile, or only by records, which are kept longer
 * than both.
 *
 * @returns the application, null if no profile names it; undefined for an unknown user
 */
export async function applicationOf(
  tables: { Users: Users<'get'>; ConsentStates: ConsentStates<'query'> },
  userId: string,
): Promise<string | null | undefined> {
  const [profile, states] = await Promise.all([
    get<{ userId: string; application?: string }>(tables.Users, { userId }),
    query(tables.ConsentStates, { ...inPartition({ userId }), Limit: 1 }),
  ]);
  if (profile) return profile.application ?? null;
  return states.Items?.length ? null : undefined;
}
