import { expect, test } from 'vitest';
import { asked, batches, redeem } from '../access-codes/people.ts';
import { erasureStage } from '../erasure/stage.ts';
import { eventually } from '../eventually.ts';

/** From the redemption of a code to the end of what it unlocks: what is due and what is said of it, as the clock moves. */

const stand = erasureStage();
const day = 86_400_000;

type Row = { bundleId: string; status: string };

/** The service's time from now on: at noon in UTC, so many days from today. */
async function moveTo(days: number): Promise<void> {
  const noon = Math.floor(Date.now() / day) * day + day / 2;
  await stand.put('Clock', { clockId: 'service', offsetMs: noon + days * day - Date.now() });
}

test('due at the start, due at day 42, and over with the entitlement; a reminder of each', async () => {
  const me = stand.as(await stand.tokenOf('patient', 'sleepcare'), 'sleepcare');
  const admin = await stand.admin();
  await me('GET', '/users/me');
  const { body } = await admin('POST', batches, { ...asked, count: 1, grantsDays: 45 });
  const statuses = async () => {
    const { items } = (await me('GET', '/questionnaires/bundles')).body as { items: Row[] };
    return items.filter(({ bundleId }) => bundleId.startsWith('sleep-')).map(({ status }) => status);
  };
  const reminders = async () => {
    await stand.run('remind-of-questionnaires');
    const { items } = (await me('GET', '/agent-board/messages')).body as { items: { title: string }[] };
    return items.map(({ title }) => title).toReversed();
  };
  const at = async (days: number, wanted: string[], said: string[]) => {
    await moveTo(days);
    await eventually(async () => expect(await statuses()).toEqual(wanted));
    await eventually(async () => expect(await reminders()).toEqual(said));
    // Once, however often it runs.
    expect(await reminders()).toEqual(said);
  };
  const start = 'Questionnaires for you';

  await moveTo(1);
  await eventually(async () => {
    const { body: clock } = await me('GET', '/users/me/entitlements');
    expect(clock.items).toEqual([]);
  });
  expect((await me('POST', redeem, { code: body.codes[0].code })).status).toBe(200);
  const [first = ''] = ((await me('GET', '/users/me/entitlements')).body.items as { startsAt: string }[]).map(
    ({ startsAt }) => startsAt.slice(0, 10),
  );
  const startDay = Math.round((Date.parse(first) - Math.floor(Date.now() / day) * day) / day);

  await at(startDay, ['due', 'upcoming'], [start]);
  await at(startDay + 3, ['due', 'upcoming'], [start]);
  await at(startDay + 8, ['missed', 'upcoming'], [start]);
  await at(startDay + 42, ['missed', 'due'], [start, start]);
  // The window ends with the entitlement.
  await at(startDay + 44, ['missed', 'due'], [start, start]);
  await at(startDay + 46, ['missed', 'missed'], [start, start]);
  await stand.put('Clock', { clockId: 'service', offsetMs: 0 });
});

test('nothing is due after an early end, and there is no reminder', async () => {
  const { userId, call } = await stand.person();
  await call('GET', '/users/me');
  const admin = await stand.admin();
  const { body } = await admin('POST', batches, { ...asked, count: 1 });
  const { entitlementId } = (await call('POST', redeem, { code: body.codes[0].code })).body as {
    entitlementId: string;
  };
  expect(await stand.rows('Entitlements', 'userId', userId)).toMatchObject([{ entitlementId }]);
  await admin('POST', `${batches}/${body.batchId}/revoke`, { endEntitlements: true });
  await moveTo(42);
  await eventually(async () => {
    const { items } = (await call('GET', '/questionnaires/bundles')).body as { items: Row[] };
    const found = items.filter(({ bundleId }) => bundleId === 'sleep-start');
    expect(found.map(({ status }) => status)).toEqual(['missed']);
  });
  await stand.run('remind-of-questionnaires');
  expect((await call('GET', '/agent-board/messages')).body.items).toEqual([]);
  await stand.put('Clock', { clockId: 'service', offsetMs: 0 });
});
