import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { client } from '../api.ts';
import { administrator, replacePolicy } from '../app-version/stored-policy.ts';

/** The policy of `medinfo/ios` is put back as it is, except for a text that is shown only in a maintenance. */

const path = '/mobile/app-version/policies/medinfo/ios';

async function changed() {
  const admin = await administrator();
  const { body } = await admin.get(path);
  const maintenance = { ...body.texts.maintenance };
  maintenance[body.defaultLocale] = { title: 'Maintenance', message: `Change ${randomUUID()}.` };
  const began = new Date().toISOString();
  const written = await replacePolicy(admin, path, { ...body, texts: { ...body.texts, maintenance } });
  expect(written.status).toBe(200);
  return { admin, began, before: body, after: written.body, requestId: written.headers.get('x-request-id') };
}

describe('200', () => {
  test('who changed what and when, with the values before and after', async () => {
    const { admin, began, before, after, requestId } = await changed();
    const { status, body } = await admin.get(`/admin/audit-events?actor=${after.updatedBy}`);
    expect(status).toBe(200);
    expect(body.items).toEqual([
      {
        eventId: expect.stringMatching(/^\d{8}T\d{9}Z-/),
        at: expect.any(String),
        actor: after.updatedBy,
        action: 'app-version-policy.replaced',
        subject: 'app-version-policy/medinfo/ios',
        requestId: expect.any(String),
        before: { texts: before.texts },
        after: { texts: after.texts },
      },
    ]);
    expect(body.items[0].at >= began && body.items[0].at <= new Date().toISOString()).toBe(true);
    expect(requestId).not.toBeNull();
  });

  test('from a time until before another, by subject, and page by page', async () => {
    const { admin, after } = await changed();
    const mine = `/admin/audit-events?actor=${after.updatedBy}`;
    const [event] = (await admin.get(mine)).body.items;
    const count = async (query: string) => (await admin.get(`${mine}&${query}`)).body.items.length;
    const next = new Date(Date.parse(event.at) + 1).toISOString();
    expect(await count(`from=${event.at}&to=${next}`)).toBe(1);
    expect(await count(`to=${event.at}`)).toBe(0);
    const inTokyo = (time: string) => new Date(Date.parse(time) + 32_400_000).toISOString().replace('Z', '+09:00');
    expect(await count(`from=${inTokyo(event.at)}&to=${inTokyo(next)}`)).toBe(1);
    expect(await count(`to=${encodeURIComponent(inTokyo(event.at))}`)).toBe(0);
    expect(await count(`from=${next}`)).toBe(0);
    const turned = await admin.get(`${mine}&from=${next}&to=${event.at}`);
    expect([turned.status, turned.body.detail.issues[0]]).toMatchObject([400, { path: 'to', code: 'inconsistent' }]);
    expect(await count(`subject=${encodeURIComponent(event.subject)}`)).toBe(1);
    expect(await count('subject=another')).toBe(0);
    const first = (await admin.get('/admin/audit-events?limit=1')).body;
    expect(first.metadata).toMatchObject({ count: 1, hasMore: true });
    const second = (await admin.get(`/admin/audit-events?limit=1&cursor=${first.metadata.nextCursor}`)).body;
    expect(second.items[0].eventId < first.items[0].eventId).toBe(true);
  });

  test('a change that is refused leaves no event', async () => {
    const { admin, before, after } = await changed();
    const stale = { headers: { 'If-Match': `"${before.revision}"` }, body: after };
    expect((await admin.put(path, stale)).status).toBe(412);
    expect((await admin.get(`/admin/audit-events?actor=${after.updatedBy}`)).body.items).toHaveLength(1);
  });
});

test('400: a text that is not a time', async () => {
  const admin = await administrator();
  expect((await admin.get('/admin/audit-events?from=yesterday')).status).toBe(400);
});

test('403: for nobody but administrators', async () => {
  for (const roles of ['agent', 'physician']) {
    const caller = await client({ roles, application: 'medinfo' });
    expect((await caller.get('/admin/audit-events')).status).toBe(403);
  }
});
