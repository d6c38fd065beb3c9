import { table } from '../../lib/contract/tables.ts';

/** A user's profile under the `userId`; under `email#…` the user with that address. */
export const Users = table('Users', { partitionKey: 'userId', stream: true });
