import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';

/** A client that knows nothing but the specification's table of what to call on save, and of the list's first five fields. */

type Item = { agreementId: string; versionId: string; isRequired: boolean; agreed: boolean; isAgreeable: boolean };
type User = Awaited<ReturnType<typeof client>>;

async function load(user: User): Promise<Map<string, Item>> {
  const items: Item[] = (await user.get('/users/agreements')).body.items;
  return new Map(items.map((item) => [item.agreementId, item]));
}

/** @returns the screen that the client leads to, or the status of its call; null where the table has no row */
async function save(
  user: User,
  item: Item,
  action: 'checks' | 'unchecks',
): Promise<number | 'account-deletion' | null> {
  if (item.isRequired && action === 'unchecks') return 'account-deletion';
  if (item.isRequired) return (await user.post(`/agreements/versions/${item.versionId}/agree`)).status;
  if (item.agreed && action === 'unchecks') {
    return (await user.delete(`/users/agreements/${item.agreementId}/consent`)).status;
  }
  if (!item.agreed && action === 'checks')
    return (await user.post(`/agreements/versions/${item.versionId}/agree`)).status;
  return null;
}

describe('save actions', () => {
  test('a required agreement that is checked is consented to', async () => {
    const user = await client();
    for (const item of (await load(user)).values()) {
      if (item.isRequired) expect(await save(user, item, 'checks')).toBe(200);
    }
    expect([...(await load(user)).values()].map((item) => item.agreed)).toEqual([true, true, false, false, false]);
  });

  test('a required agreement that is unchecked leads to the account deletion, and nothing changes', async () => {
    const user = await client();
    const terms = (await load(user)).get('terms-of-service') as Item;
    await save(user, terms, 'checks');
    expect(await save(user, { ...terms, agreed: true }, 'unchecks')).toBe('account-deletion');
    expect((await load(user)).get('terms-of-service')).toMatchObject({ agreed: true });
  });

  test('an optional agreement is checked, unchecked and checked again', async () => {
    const user = await client();
    const marketing = async () => (await load(user)).get('marketing') as Item;
    for (const action of ['checks', 'unchecks', 'checks'] as const) {
      expect((await marketing()).isAgreeable).toBe(true);
      expect(await save(user, await marketing(), action)).toBe(200);
      expect((await marketing()).agreed).toBe(action === 'checks');
    }
  });
});
