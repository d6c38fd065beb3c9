import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { EmailRow, Erased, User } from './rules/profile.ts';

/** A user's profile under the `userId`; under `email#…` the user with that address. */
export const Users = table<User | Erased | EmailRow>()('Users', { partitionKey: 'userId', stream: true });
export type Users<A extends Action> = Handle<typeof Users, A>;
