import { neverClosed } from '../../lib/contract/accounts.ts';
import type { Runtime } from '../../lib/runtime/runtime.ts';

/** For tests of something else: every caller's account is open, no session has ended, and no table is read for it. */
export const openAccounts: NonNullable<Runtime['accounts']> = {
  read: async () => ({ account: neverClosed, endings: {} }),
  whileOpen: (_, act) => act(),
};
