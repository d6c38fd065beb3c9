import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { type EnterDependencies, enterMember } from '../jobs/enter-member.ts';
import { readAccount } from '../stores/staff-rows.ts';

/** Fixed, so the rows are the same at every start of the local stage. */
const seededAt = new Date('2026-01-01T00:00:00.000Z');

/** The rows of the people who can sign in from the start; existing rows stay as they are. */
export async function seedStaff(
  deps: EnterDependencies,
  members: readonly Pick<StaffAccount, 'userId' | 'email' | 'roles'>[],
): Promise<void> {
  for (const member of members) {
    if (await readAccount(deps.tables.StaffAccounts, member.userId)) continue;
    await enterMember(deps, member, { actor: 'seed', enteredAt: seededAt, realNow: new Date() });
  }
}
