import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EventBusOptions, startEventBus } from '../../../lib/local/event-bus/event-bus.ts';
import type { Fault } from '../../../lib/local/service/faults.ts';

/** As the SDK's client meets it. */

const bus = (name: string) => ({ name, arn: `arn:aws:events:eu-central-1:000000000000:event-bus/${name}` });
const [standard, consents] = [bus('default'), bus('consents')];

async function started(options: Partial<EventBusOptions> = {}) {
  const lost: string[] = [];
  const eventBus = await startEventBus({ buses: [standard, consents], log: (line) => lost.push(line), ...options });
  const credentials = { accessKeyId: 'tester', secretAccessKey: 'x' };
  const client = new EventBridgeClient({
    endpoint: eventBus.url,
    region: 'eu-central-1',
    credentials,
    maxAttempts: 1,
  });
  onTestFinished(async () => {
    client.destroy();
    await eventBus.close();
  });
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
  return { ...eventBus, put, lost };
}

const entry = (more: Partial<PutEventsRequestEntry> = {}): PutEventsRequestEntry => ({
  EventBusName: consents.name,
  Source: 'mobile-health',
  DetailType: 'ConsentChanged',
  Detail: '{"a":1}',
  ...more,
});

describe('an event', () => {
  test('is kept as a target would receive it', async () => {
    const { put, events } = await started({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    const Time = new Date('2026-01-01T00:00:00Z');
    const answer = await put(entry({ Resources: ['r'] }), entry({ EventBusName: consents.arn, Time }));
    expect(answer).toMatchObject({ FailedEntryCount: 0 });
    const [first, second] = answer.Entries ?? [];
    const common = {
      version: '0',
      'detail-type': 'ConsentChanged',
      source: 'mobile-health',
      account: '000000000000',
      region: 'eu-central-1',
      detail: { a: 1 },
    };
    expect(events()).toEqual([
      { bus: 'consents', event: { ...common, id: first?.EventId, time: '2026-01-02T03:04:05Z', resources: ['r'] } },
      { bus: 'consents', event: { ...common, id: second?.EventId, time: '2026-01-01T00:00:00Z', resources: [] } },
    ]);
  });

  test('without a bus goes to the account’s own', async () => {
    const { put, events } = await started();
    await put(entry({ EventBusName: undefined }));
    expect(events()).toMatchObject([{ bus: 'default' }]);
  });

  test('for a missing bus is lost, and no error, as on AWS; only the log says so', async () => {
    const { put, events, lost, adopt } = await started();
    const toNew = entry({ EventBusName: 'new' });
    expect(await put(toNew)).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
    expect(events()).toEqual([]);
    expect(lost).toEqual([expect.stringContaining(`there is no event bus ${bus('new').arn}`)]);
    adopt([standard, bus('new')]);
    await put(toNew);
    expect(events()).toMatchObject([{ bus: 'new' }]);
  });

  test('is forgotten when there are many newer ones', async () => {
    const { put, events } = await started({ maximumEvents: 3 });
    for (let i = 0; i < 5; i += 1) await put(...[0, 1].map((j) => entry({ Detail: `{"n":${2 * i + j}}` })));
    expect(events().map(({ event }) => event.detail.n)).toEqual([7, 8, 9]);
  });
});

test('of several entries only a wrong one fails, in its place', async () => {
  const { put, events } = await started();
  const wrong = [
    entry({ Source: undefined }),
    entry({ DetailType: '' }),
    entry({ Detail: undefined }),
    entry({ Detail: '[1]' }),
    entry({ Detail: '{' }),
    entry({ Source: 'aws.mine' }),
  ];
  const { FailedEntryCount, Entries = [] } = await put(entry(), ...wrong);
  expect(FailedEntryCount).toBe(wrong.length);
  expect(Entries.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'InvalidArgument',
    'InvalidArgument',
    'InvalidArgument',
    'MalformedDetail',
    'MalformedDetail',
    'NotAuthorizedForSourceException',
  ]);
  expect(events()).toHaveLength(1);
});

describe('a request', () => {
  const sized = (bytes: number) => entry({ Source: 's', DetailType: 'd', Detail: `{"x":"${'x'.repeat(bytes - 10)}"}` });

  test.each([
    ['of ten entries', Array.from({ length: 10 }, () => entry())],
    ['of one MiB', [sized(512 * 1024), sized(512 * 1024)]],
  ])('%s is taken whole', async (_, entries) => {
    const { put, events } = await started();
    await put(...entries);
    expect(events()).toHaveLength(entries.length);
  });

  test.each([
    ['of no entries', []],
    ['of eleven entries', Array.from({ length: 11 }, () => entry())],
    ['of a byte more than one MiB', [sized(512 * 1024), sized(512 * 1024 + 1)]],
  ])('%s is refused whole', async (_, entries) => {
    const { put, events } = await started();
    await expect(put(...entries)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(events()).toEqual([]);
  });

  test('is refused whole where one of its buses is not allowed', async () => {
    const { put, events } = await started({
      authorize: ({ action, resource }) =>
        resource === consents.arn ? undefined : { action: `events:${action}`, resource },
    });
    await expect(put(entry(), entry({ EventBusName: 'default' }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(`not authorized to perform: events:PutEvents on resource: ${standard.arn}`),
    });
    expect(events()).toEqual([]);
  });
});

test.each<[Fault, object, number]>([
  ['error', { name: 'InternalException', $metadata: { httpStatusCode: 500 } }, 0],
  ['throttle', { name: 'ThrottlingException' }, 0],
  // The sender does not know, and the event is there.
  ['lose-response', { code: 'ECONNRESET' }, 1],
])('a fault: %s', async (fault, error, kept) => {
  const { put, events } = await started({ intercept: () => fault });
  await expect(put(entry())).rejects.toMatchObject(error);
  expect(events()).toHaveLength(kept);
});
