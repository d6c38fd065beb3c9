import { table } from '../../lib/contract/tables.ts';

/** A user's sessions, each from its sign-in on, with the latest refresh token sealed; one that was ended stays until its tokens have. */
export const Sessions = table('Sessions', { partitionKey: 'userId', sortKey: 'sessionId', expires: true });

/** The devices that signed in to an account, each as a keyed hash. The owner gets a mail about a new device. */
export const KnownDevices = table('KnownDevices', { partitionKey: 'userId', sortKey: 'deviceHash', expires: true });

/** Of each user the keyed hashes of the recovery codes that are left. */
export const RecoveryCodes = table('RecoveryCodes', { partitionKey: 'userId' });

/** Failed sign-ins of the last minutes by the keyed hash of account and IP address. */
export const SignInTries = table('SignInTries', { partitionKey: 'pair', expires: true });
