import { afterAll, expect, test } from 'vitest';
import { openBroadcasts } from './open-broadcasts.ts';

/** An invocation that ends at any of its calls, before the call or once it took effect. */

const world = await openBroadcasts();
afterAll(() => world.close());

test.each(['before', 'after'] as const)('%s each call: nothing is lost and nothing comes twice', async (when) => {
  const { groupId, userIds } = await world.group(5);
  const usual = await world.accept(groupId);
  const { calls } = await world.work([world.listing(usual)]);
  expect(calls).toBeGreaterThan(40);
  for (let at = 1; at <= calls; at += 1) {
    const broadcast = await world.accept(groupId);
    const { dead } = await world.work([world.listing(broadcast)], {}, { at, when });
    const { total, posted, failed, skipped, open, isListed } = await world.progress(broadcast);
    const found = { at, dead, total, posted, failed, skipped, open, isListed };
    expect(found).toEqual({ at, dead: [], total: 5, posted: 5, failed: 0, skipped: 0, open: 0, isListed: true });
    expect(await world.boards(userIds)).toEqual(userIds.map(() => at + 1));
  }
});
