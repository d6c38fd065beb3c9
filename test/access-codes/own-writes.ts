import { randomBytes } from 'node:crypto';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import type { OwnWrites } from '../own-writes.ts';
import { asked, batches, redeem, validate } from './people.ts';

export const ownWrites: OwnWrites = {
  redeemAccessCode: async ({ call }, admin) => {
    const { body } = await admin('POST', batches, { ...asked, count: 1 });
    const [first] = body.codes as unknown as { code: string }[];
    return () => call('POST', redeem, { code: first?.code });
  },
  // It writes where the code does not exist.
  validateAccessCode: async ({ call }) => {
    const code = newCode(randomBytes(12));
    return () => call('POST', validate, { code });
  },
};
