import { expect, onTestFinished, test, vi } from 'vitest';
import type { RequestEntry } from '../../../lib/local/gateway/exchange.ts';
import type { ShownPush } from '../../../lib/local/page/devices.ts';
import { attributes } from '../sns/client.ts';
import { readEvents } from './event-reader.ts';
import { silent, visible } from './payloads.ts';
import { servePage } from './served-page.ts';

const entry: RequestEntry = {
  method: 'GET',
  path: '/de/v1/users/me',
  apiId: null,
  resource: null,
  functionArn: null,
  status: 200,
  gatewayResponse: null,
  error: null,
  requestId: '',
  extendedRequestId: '',
  invocationId: '',
  sourceIp: '127.0.0.1',
  durationMs: 3.6,
};

test('the stream begins with all there is, and goes on with each push, device and request', async () => {
  // The page looks at the devices from time to time; here, when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url, sns, page } = await servePage();
  const arn = await sns.endpoint('APNS');
  await sns.publish(arn, { Message: visible({ title: 'One', body: 'first', badge: 1 }) });
  page.onRequest({ ...entry, status: 404 });
  const next = await readEvents(url);

  const { name, data } = await next();
  expect(name).toBe('snapshot');
  expect(data).toMatchObject({
    hasPushes: true,
    devices: [{ endpoint: arn, lastPush: { banner: { title: 'One' } } }],
    pushes: [{ endpoint: arn, kind: 'visible', banner: { title: 'One', body: 'first' }, badge: 1, failure: null }],
    requests: [{ method: 'GET', path: '/de/v1/users/me', status: 404, ms: 4 }],
  });

  await sns.publish(arn, {
    Message: silent('3'),
    MessageAttributes: attributes({ 'APNS.COLLAPSE_ID': 'badge_sync' }),
  });
  expect(await next()).toMatchObject({
    name: 'push',
    data: {
      endpoint: arn,
      kind: 'silent',
      badge: null,
      data: { type: 'badge_sync', badge: '3' },
      collapseId: 'badge_sync',
    },
  });
  page.onRequest(entry);
  expect(await next()).toMatchObject({ name: 'request', data: { status: 200 } });

  await sns.endpoint('GCM');
  vi.advanceTimersByTime(500);
  expect(await next()).toMatchObject({ name: 'devices', data: [{ platform: 'APNS' }, { platform: 'GCM' }] });
});

test('a push that never arrives says why', async () => {
  const { url, sns } = await servePage();
  const next = await readEvents(url);
  await next();
  await sns.publish(await sns.endpoint('APNS', 'fail-gone-1'), { Message: silent('1') });
  let latest = await next();
  while (latest.name !== 'push') latest = await next();
  expect(latest.data.failure).toContain('InvalidPlatformToken');
});

test('line breaks in a push do not end its event', async () => {
  const { url, sns } = await servePage();
  const next = await readEvents(url);
  await next();
  const title = 'a\n\nevent: snapshot\ndata: {}\r\n\u2028b';
  await sns.publish(await sns.endpoint('APNS'), { Message: visible({ title, body: '' }) });
  let latest = await next();
  while (latest.name !== 'push') latest = await next();
  expect(latest.data.banner.title).toBe(title);
});

test('of each device the latest 20 are kept, for a phone that was busy says nothing of another', async () => {
  const { url, sns } = await servePage();
  const [busy, calm] = [await sns.endpoint('APNS'), await sns.endpoint('GCM')];
  await sns.publish(calm, { Message: visible({ title: 'Calm', body: '' }) });
  for (let count = 1; count <= 25; count++) await sns.publish(busy, { Message: silent(String(count)) });
  const next = await readEvents(url);
  const { data } = await next();
  const pushes: ShownPush[] = data.pushes;
  const badges = pushes.filter(({ endpoint }) => endpoint === busy).map((push) => Number(push.data.badge));
  expect(badges).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
  expect(pushes[0]?.banner?.title).toBe('Calm');
});
