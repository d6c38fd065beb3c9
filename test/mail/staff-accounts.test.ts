import { expect, test, vi } from 'vitest';
import { hasStaffAccount } from '../../functions/mail/stores/accounts.ts';
import { staffKey } from '../../lib/contract/staff-accounts.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

/** Whose address belongs to an active member of staff: on the local DynamoDB. */

const { client, tables } = await localTables(['StaffAccounts']);
const { StaffAccounts } = tables;

test('an active member has the address in any case; a planted row without one is nobody’s', async () => {
  const rows = {
    a: { status: 'active' },
    b: { status: 'active', email: 7 },
    c: { status: 'active', email: 'Ada@x.de' },
  };
  for (const [userId, row] of Object.entries({ ...rows, d: { status: 'disabled', email: 'bob@x.de' } }))
    await putRow(StaffAccounts, { ...staffKey(userId), ...row });
  const asked = ['ada@x.de', 'bob@x.de', 'undefined'].map((email) => hasStaffAccount(StaffAccounts, email, null));
  expect(await Promise.all(asked)).toEqual([true, false, false]);
});

test('who has a profile is found beside rows without end; a profile that leads to somebody else says nothing', async () => {
  await putRow(StaffAccounts, { ...staffKey('c'), status: 'active', email: 'Ada@x.de' });
  await putRow(StaffAccounts, { ...staffKey('d'), status: 'disabled', email: 'bob@x.de' });
  for (const userId of ['!1', '!2', '!3', '!4']) {
    await putRow(StaffAccounts, { ...staffKey(userId), fill: 'x'.repeat(390_000) });
  }
  const sent = vi.spyOn(client, 'send');
  expect(await hasStaffAccount(StaffAccounts, 'ada@x.de', { userId: 'c' })).toBe(true);
  expect(sent.mock.calls.length).toBe(1);
  expect(await hasStaffAccount(StaffAccounts, 'ada@x.de', { userId: 'd' })).toBe(true);
  expect(await hasStaffAccount(StaffAccounts, 'bob@x.de', { userId: 'd' })).toBe(false);
});
