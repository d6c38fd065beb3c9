import { expect, test } from 'vitest';
import { baseUrl, client, isDeployed } from '../api.ts';
import { eventually } from '../eventually.ts';

/** What other services would get of the local stage. */
async function eventsOf(userId: string, detailType = 'ConsentChanged') {
  const answer = await fetch(new URL(`/_local/bus-events?detailType=${detailType}`, baseUrl()));
  // biome-ignore lint/suspicious/noExplicitAny: what the route answers is what the test is about.
  const { items } = (await answer.json()) as { items: any[] };
  return items.map(({ event }) => event ?? {}).filter(({ detail }) => detail?.userId === userId);
}

test.skipIf(isDeployed())('other services get an event for a consent and for its revocation, by record', async () => {
  const user = await client();
  const { userId } = (await user.get('/users/me')).body;
  await user.post('/agreements/versions/marketing-1.0/agree');
  await user.delete('/users/agreements/marketing/consent');
  const records = (await user.get('/users/agreements/marketing/history')).body.items;
  await eventually(async () => expect(await eventsOf(userId)).toHaveLength(2));
  const events = await eventsOf(userId);
  expect(events.map(({ detail }) => detail)).toEqual(
    records.toReversed().map((record: Record<string, unknown>) => ({
      recordId: record.recordId,
      userId,
      agreementId: 'marketing',
      versionId: 'marketing-1.0',
      action: record.action,
      recordedAt: record.recordedAt,
      sequence: record.sequence,
      source: 'user',
    })),
  );
  expect(events[0]).toMatchObject({ source: 'mobile-health.dev', 'detail-type': 'ConsentChanged' });
});

test.skipIf(isDeployed())(
  'other services get an event for the request to delete an account, with only user and time',
  async () => {
    const user = await client();
    const { userId } = (await user.get('/users/me')).body;
    const { endedAt } = (await user.delete('/users/me')).body;
    const ended = () => eventsOf(userId, 'ConsentsEnded');
    await eventually(async () => expect(await ended()).not.toEqual([]));
    // The steps that followed the request are in the same stream, and tell nothing more.
    expect((await ended()).map(({ detail }) => detail)).toEqual([{ userId, endedAt }]);
  },
);
