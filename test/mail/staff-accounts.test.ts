import { expect, test } from 'vitest';
import { hasStaffAccount } from '../../functions/mail/stores/accounts.ts';
import { staffKey } from '../../lib/contract/staff-accounts.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

/** Whose address belongs to an active member of staff: on the local DynamoDB. */

const { StaffAccounts } = (await localTables(['StaffAccounts'])).tables;

test('an active member has the address in any case; a planted row without one is nobody’s', async () => {
  const rows = {
    a: { status: 'active' },
    b: { status: 'active', email: 7 },
    c: { status: 'active', email: 'Ada@x.de' },
  };
  for (const [userId, row] of Object.entries({ ...rows, d: { status: 'disabled', email: 'bob@x.de' } }))
    await putRow(StaffAccounts, { ...staffKey(userId), ...row });
  const asked = ['ada@x.de', 'bob@x.de', 'undefined'].map((email) => hasStaffAccount(StaffAccounts, email));
  expect(await Promise.all(asked)).toEqual([true, false, false]);
});
