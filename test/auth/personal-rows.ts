import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, put }) => {
  await put('RecoveryCodes', { userId, hashes: new Set(['a']), issuedAt: '2026-01-01T00:00:00.000Z' });
  // Its key is a hash of the account and an address: here it says whose it is, so that it is found.
  await put('SignInTries', { pair: `hash of ${userId}`, failures: 1, since: 1, last: 1, revision: 1 });
};
