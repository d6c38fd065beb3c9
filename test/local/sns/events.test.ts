import {
  CreatePlatformEndpointCommand,
  DeleteEndpointCommand,
  SetEndpointAttributesCommand,
  SetPlatformApplicationAttributesCommand,
} from '@aws-sdk/client-sns';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lambdaEvent, type Notification } from '../../../lib/local/sns/sns.ts';
import { eventually } from '../../eventually.ts';
import { attributes, startTestSns, tokenOf } from './client.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const topic = (name: string) => `arn:aws:sns:eu-central-1:123456789012:${name}`;
const events: Notification[] = [];
let sns: Awaited<ReturnType<typeof startTestSns>>;
let application: string;
beforeAll(async () => {
  sns = await startTestSns({ now: () => noon, onEvent: (event) => events.push(event) });
  application = await sns.application('APNS');
  const Attributes = Object.fromEntries(
    ['EndpointCreated', 'EndpointUpdated', 'EndpointDeleted', 'DeliveryFailure'].map((type) => [
      `Event${type}`,
      topic(type),
    ]),
  );
  const set = { PlatformApplicationArn: application, Attributes };
  await sns.client.send(new SetPlatformApplicationAttributesCommand(set));
});
beforeEach(() => void events.splice(0));
afterAll(() => sns.close());

const create = async (Token: string) => {
  const command = new CreatePlatformEndpointCommand({ PlatformApplicationArn: application, Token });
  return (await sns.client.send(command)).EndpointArn ?? '';
};
/** What came of the calls so far. Events come in order: when one more is here, so is whatever came too much. */
const messages = async (): Promise<Record<string, unknown>[]> => {
  const more = await create(tokenOf('APNS'));
  await eventually(() => expect(events.at(-1)?.Message).toContain(more));
  events.pop();
  return events.map(({ Message }) => JSON.parse(Message));
};
const plain = { Service: 'SNS', Time: '2026-03-01T12:00:00.000Z' };

test('an endpoint that is made, changed and deleted tells so once each, to the topic of each', async () => {
  const EndpointArn = await create('aa');
  await create('aa');
  const Attributes = { CustomUserData: 'u' };
  await sns.client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));
  await sns.client.send(new SetEndpointAttributesCommand({ EndpointArn, Attributes }));
  await sns.client.send(new DeleteEndpointCommand({ EndpointArn }));
  await sns.client.send(new DeleteEndpointCommand({ EndpointArn }));
  const types = ['EndpointCreated', 'EndpointUpdated', 'EndpointDeleted'];
  expect(await messages()).toEqual(
    types.map((EventType) => ({ EndpointArn, EventType, Resource: application, ...plain })),
  );
  expect(events.map(({ TopicArn }) => TopicArn)).toEqual(types.map(topic));
});

test("a delivery failure has SNS's form, the message id of its push, and members in order", async () => {
  const EndpointArn = await create('bb');
  const { MessageId } = await sns.publish(EndpointArn, { MessageAttributes: attributes({ 'APNS.PRIORITY': '11' }) });
  await messages();
  expect(events[1]).toEqual({
    Type: 'Notification',
    MessageId: expect.stringMatching(/^[\da-f-]{36}$/),
    TopicArn: topic('DeliveryFailure'),
    Subject: 'DeliveryFailure event for app sleepcare (APNS)',
    Message:
      `{"DeliveryAttempts":1,"EndpointArn":"${EndpointArn}","EventType":"DeliveryFailure",` +
      '"FailureMessage":"Notification body is invalid","FailureType":"InvalidNotification",' +
      `"MessageId":"${MessageId}","Resource":"${application}","Service":"SNS","Time":"2026-03-01T12:00:00.000Z"}`,
    Timestamp: '2026-03-01T12:00:00.000Z',
  });
});

test('a token that is gone fails the delivery, and then updates its endpoint', async () => {
  const EndpointArn = await create('fail-gone-events');
  await sns.publish(EndpointArn);
  expect(await messages()).toMatchObject([
    { EventType: 'EndpointCreated' },
    { EventType: 'DeliveryFailure', FailureType: 'InvalidPlatformToken' },
    { EventType: 'EndpointUpdated', EndpointArn },
  ]);
});

test('a push to a disabled endpoint fails also as an event', async () => {
  const EndpointArn = await create('fail-disabled-events');
  await expect(sns.publish(EndpointArn)).rejects.toMatchObject({ name: 'EndpointDisabledException' });
  await expect(sns.publish(EndpointArn)).rejects.toMatchObject({ name: 'EndpointDisabledException' });
  const failure = {
    EventType: 'DeliveryFailure',
    FailureType: 'EndpointDisabled',
    FailureMessage: 'Endpoint is disabled',
  };
  expect(await messages()).toMatchObject([
    { EventType: 'EndpointCreated' },
    { EventType: 'EndpointUpdated' },
    failure,
    failure,
  ]);
});

test('an application without topics tells nothing, and a push that arrives tells nothing', async () => {
  const other = await sns.endpoint('GCM', 'fail-gone-silent');
  await sns.publish(other);
  await sns.publish(await create('cc'));
  expect(await messages()).toMatchObject([{ EventType: 'EndpointCreated' }]);
});

test('an event comes after the answer, and its hook may throw', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const order: string[] = [];
  const onEvent = () => {
    order.push('event');
    throw new Error('subscriber');
  };
  const other = await startTestSns({ onEvent, onPush: () => order.push('push') });
  const arn = await other.endpoint('GCM', 'fail-gone-order');
  const PlatformApplicationArn = await other.application('GCM');
  const Attributes = { EventDeliveryFailure: topic('t') };
  await other.client.send(new SetPlatformApplicationAttributesCommand({ PlatformApplicationArn, Attributes }));
  await other.publish(arn);
  order.push('answer');
  vi.advanceTimersByTime(10);
  expect(order).toEqual(['push', 'answer']);
  vi.advanceTimersByTime(1000);
  expect(order).toEqual(['push', 'answer', 'event']);
  expect(report).toHaveBeenCalledWith(
    'A hook for SNS events failed:',
    expect.objectContaining({ message: 'subscriber' }),
  );
  report.mockRestore();
  await other.close();
});

test('a function gets the notification as its record', () => {
  const notification = {
    Type: 'Notification',
    MessageId: 'id',
    TopicArn: topic('t'),
    Subject: 's',
    Message: '{}',
    Timestamp: '2026-03-01T12:00:00.000Z',
  } as const;
  expect(lambdaEvent(notification).Records).toEqual([
    {
      EventSource: 'aws:sns',
      EventVersion: '1.0',
      EventSubscriptionArn: `${topic('t')}:local`,
      Sns: { ...notification, MessageAttributes: {} },
    },
  ]);
});
