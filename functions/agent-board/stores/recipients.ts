import type { Accounts } from '../../../lib/contract/accounts.ts';
import { readAccount } from '../../../lib/runtime/accounts.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { type Erased, isErased, type User } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';

/**
 * Whether a message can be posted to a user: the user belongs to the sleep-care app and has not requested the account's deletion.
 *
 * @returns null where only the user pool can tell: an account has no profile before the first start of the app
 */
export async function readRecipient(
  tables: { Users: Users<'get'>; Accounts: Handle<typeof Accounts, 'get'> },
  userId: string,
): Promise<boolean | null> {
  const [user, account] = await Promise.all([
    get<User | Erased>(tables.Users, { userId }),
    readAccount({ table: tables.Accounts, userId }),
  ]);
  if (account.isClosed) return false;
  return user && !isErased(user) && user.application === 'sleepcare';
}
